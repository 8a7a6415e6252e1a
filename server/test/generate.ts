// `npm run generate`: writes every generated file.
import { generatedFiles, writeCommitted } from './generated/generated-files.ts';
import { startTestService } from './harness/test-service.ts';
import { openTestServer } from './test-server.ts';

const closeTestServer = await openTestServer();
try {
  const service = await startTestService();
  for (const [path, text] of await generatedFiles(service)) {
    await writeCommitted(path, text);
    process.stdout.write(`${path}\n`);
  }
  await service.close();
} finally {
  await closeTestServer();
}
