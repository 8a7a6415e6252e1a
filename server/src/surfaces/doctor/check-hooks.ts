import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Checks the settings that verify email webhooks. */
export async function checkHooks({ sesTopicArn, sendgridPublicKey }: Config['hooks']): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (sesTopicArn !== undefined) {
    const { snsTopic } = await import('../../core/delivery/hooks/sns-topic.ts');
    findings.push(checkMade('SES_TOPIC_ARN', () => snsTopic(sesTopicArn)));
  }
  if (sendgridPublicKey !== undefined) {
    const { sendgrid } = await import('../../core/delivery/hooks/sendgrid.ts');
    findings.push(checkMade('SENDGRID_WEBHOOK_PUBLIC_KEY', () => sendgrid(sendgridPublicKey)));
  }
  return findings;
}

function checkMade(setting: string, make: () => unknown): Finding {
  try {
    make();
    return ok(setting, 'set');
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return fault(setting, 'bestow serve does not start with it', error.message);
  }
}
