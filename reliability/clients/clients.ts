/** Libraries of Standard Webhooks, each with a program that verifies the pushes in `$PUSHES`. */
export interface Verifier {
  language: string;
  /** Programs that the machine must have. */
  needs: readonly string[];
  /** A shell script, as those of clients. */
  run: string;
}

/** Clients that generators make of openapi.json, each with a program that buys with it. */
export interface GeneratedClient {
  language: string;
  generator: string;
  /** Programs that the machine must have. */
  needs: readonly string[];
  /**
   * Shell scripts in the client's own empty directory. `$OPENAPI` is the document, `$HERE` the directory of this file,
   * `$CACHE` keeps what is installed.
   */
  make: string;
  run: string;
  /** The result of a filter by metadata that no gift has, if it is not an empty list; null: the client has no such filter. */
  filtered?: 'refused' | 'not sent' | null;
}

/** Installs once, and again when the list of packages changed. */
const PYTHON = `
cmp -s "$HERE/python/requirements.txt" "$CACHE/python/installed" || {
  python3 -m venv "$CACHE/python"
  "$CACHE/python/bin/pip" install -q --disable-pip-version-check -r "$HERE/python/requirements.txt"
  cp "$HERE/python/requirements.txt" "$CACHE/python/installed"
}
export PATH="$CACHE/python/bin:$PATH"`;

const NODE = `
cmp -s "$HERE/typescript/package-lock.json" "$CACHE/typescript/installed" || {
  mkdir -p "$CACHE/typescript"
  cp "$HERE/typescript"/package*.json "$CACHE/typescript"
  npm ci --silent --prefix "$CACHE/typescript"
  cp "$HERE/typescript/package-lock.json" "$CACHE/typescript/installed"
}
ln -s "$CACHE/typescript/node_modules" node_modules
cp "$HERE/typescript/package.json" .`;

const TSC =
  'node_modules/.bin/tsc --noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --skipLibCheck';

/** The generator is a jar in a package of Python. */
export const openapiGenerator = (generator: string, target: string, properties: string, options = '') => `${PYTHON}
java -jar "$CACHE"/python/lib/python3*/site-packages/openapi_generator_cli/openapi-generator.jar generate \\
  -i "$OPENAPI" -g ${generator} -o ${target} ${options} --additional-properties=${properties} >generate.log 2>&1 \\
  && ! grep COLLISION generate.log || { cat generate.log; exit 1; }`;

/** Its Java does not compile with a map as a parameter. */
const WITHOUT_MAPS = `
node -e 'const all = JSON.parse(fs.readFileSync(process.env.OPENAPI, "utf8"));
for (const methods of Object.values(all.paths)) for (const one of Object.values(methods))
  if (one.parameters) one.parameters = one.parameters.filter(({ style }) => style !== "deepObject");
fs.writeFileSync("openapi.json", JSON.stringify(all));'
OPENAPI=openapi.json`;

/** The languages of openapi-generator, and where the operations stand in what it writes. */
export const openapiGeneratorLanguages = {
  csharp: 'src/Org.OpenAPITools/Api',
  go: '.',
  java: 'src/main/java/org/openapitools/client/api',
  kotlin: 'src/main/kotlin/org/openapitools/client/apis',
  php: 'lib/Api',
  python: 'openapi_client/api',
  ruby: 'lib/openapi_client/api',
  rust: 'src/apis',
  'typescript-fetch': 'apis',
} as const;

const OAPI_CODEGEN = 'v2.8.2';
const OGEN = 'v1.24.0';

export const clients: readonly GeneratedClient[] = [
  {
    language: 'Python',
    generator: 'openapi-python-client',
    needs: ['python3'],
    make: `${PYTHON}
openapi-python-client generate --path "$OPENAPI" --output-path bestow_client --meta none --overwrite`,
    run: 'PYTHONPATH=. "$CACHE/python/bin/python" "$HERE/python/openapi_python_client.py"',
    filtered: 'refused',
  },
  {
    language: 'Python',
    generator: 'openapi-generator',
    needs: ['python3', 'java'],
    make: openapiGenerator('python', 'generated', 'packageName=bestow_client'),
    run: 'PYTHONPATH=generated "$CACHE/python/bin/python" "$HERE/python/openapi_generator.py"',
    filtered: 'not sent',
  },
  {
    language: 'Go',
    generator: 'oapi-codegen',
    needs: ['go'],
    make: `
[ -x "$CACHE/go/${OAPI_CODEGEN}/oapi-codegen" ] || GOBIN="$CACHE/go/${OAPI_CODEGEN}" \\
  go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}
cp "$HERE/go-oapi-codegen"/* .
mkdir bestow
"$CACHE/go/${OAPI_CODEGEN}/oapi-codegen" -generate types,client -package bestow "$OPENAPI" >bestow/client.go
go build -o client .`,
    run: './client',
  },
  {
    language: 'Go',
    generator: 'openapi-generator',
    needs: ['python3', 'java', 'go'],
    // Without the flag its decoder refuses a new member of an answer.
    make: `${openapiGenerator('go', 'generated', 'packageName=bestow,withGoMod=false,disallowAdditionalPropertiesIfNotPresent=false')}
cp "$HERE/go-openapi-generator"/* .
mkdir bestow
cp generated/*.go bestow
go build -o client .`,
    run: './client',
  },
  {
    language: 'Go',
    generator: 'ogen',
    needs: ['go'],
    make: `
[ -x "$CACHE/go/ogen-${OGEN}/ogen" ] || GOBIN="$CACHE/go/ogen-${OGEN}" \\
  go install github.com/ogen-go/ogen/cmd/ogen@${OGEN}
cp "$HERE/go-ogen"/* .
"$CACHE/go/ogen-${OGEN}/ogen" --package bestow --target bestow "$OPENAPI" >generate.log 2>&1 || { cat generate.log; exit 1; }
go build -o client .`,
    run: './client',
  },
  {
    language: 'TypeScript',
    generator: 'openapi-typescript',
    needs: ['npm'],
    make: `${NODE}
cp "$HERE/typescript"/*.ts .
node_modules/.bin/openapi-typescript "$OPENAPI" --output schema.d.ts
${TSC} openapi-fetch.ts`,
    run: 'node openapi-fetch.ts',
  },
  {
    language: 'TypeScript',
    generator: '@hey-api/openapi-ts',
    needs: ['npm'],
    make: `${NODE}
cp "$HERE/typescript"/*.ts "$HERE/typescript"/*.mjs "$OPENAPI" .
node_modules/.bin/openapi-ts -f openapi-ts.config.mjs
${TSC} hey-api.ts`,
    run: 'node hey-api.ts',
  },
  {
    language: 'Java',
    generator: 'openapi-generator',
    needs: ['python3', 'javac', 'mvn'],
    make: `${WITHOUT_MAPS}${openapiGenerator('java', 'generated', 'invokerPackage=bestow,apiPackage=bestow.api,modelPackage=bestow.model,openApiNullable=false', '--library native')}
cmp -s "$HERE/java/pom.xml" "$CACHE/java/installed" || {
  mvn -q -B -f "$HERE/java/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \\
    -DoutputDirectory="$CACHE/java"
  cp "$HERE/java/pom.xml" "$CACHE/java/installed"
}
javac -nowarn -d classes -cp "$CACHE/java/*" $(find generated/src/main -name '*.java') "$HERE/java/Main.java" 2>&1`,
    run: 'java -cp "classes:$CACHE/java/*" Main',
    filtered: null,
  },
  {
    language: 'Rust',
    generator: 'openapi-generator',
    needs: ['python3', 'java', 'cargo'],
    // A tagged enumeration writes the member `method` a second time, which the service refuses.
    make: `${openapiGenerator('rust', 'bestow', 'packageName=bestow', '--library reqwest')}
sed -i 's/serde(tag = "method")/serde(untagged)/' bestow/src/models/*_input.rs
mkdir src
cp "$HERE/rust"/Cargo.* .
cp "$HERE/rust/main.rs" src
CARGO_TARGET_DIR="$CACHE/rust" cargo build -q --locked`,
    run: '"$CACHE/rust/debug/client"',
  },
];

export const verifiers: readonly Verifier[] = [
  {
    language: 'Python',
    needs: ['python3'],
    run: `${PYTHON}
"$CACHE/python/bin/python" "$HERE/python/verify.py" <"$PUSHES"`,
  },
  {
    language: 'Go',
    needs: ['go'],
    run: `
cp "$HERE/go-webhooks"/* .
go build -o verify .
./verify <"$PUSHES"`,
  },
  {
    language: 'Ruby',
    needs: ['ruby', 'go'],
    // The module of Go has the library's source in Ruby, too.
    run: `
cp "$HERE/go-webhooks"/* .
libraries=$(go mod download -json github.com/standard-webhooks/standard-webhooks/libraries | sed -n 's/.*"Dir": "\\(.*\\)".*/\\1/p')
ruby -I "$libraries/ruby/lib" "$HERE/ruby/verify.rb" <"$PUSHES"`,
  },
];
