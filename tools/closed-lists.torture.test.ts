import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const contract = 'packages/contract/src';

/** Closed lists of the contract: the file and the name of each list, and the member that the test adds. */
const lists = [
  ['endpoints/contracts/contract-rules.ts', 'ruleTypes'],
  ['endpoints/notifications/subscriptions.ts', 'notificationTriggers'],
  ['endpoints/notifications/notices.ts', 'noticeKinds'],
  ['endpoints/recipients/recipients.ts', 'notificationTypes'],
  ['definition-kinds.ts', 'definitionKinds'],
  ['engine-names.ts', 'engineNames'],
  ['access.ts', 'permissions'],
] as const;

/** Production files that cover a list completely. A file that leaves the list lost its exhaustive record. */
const covering = [
  'apps/host/src/commands/definitions.ts',
  'packages/channels/src/channels.ts',
  'packages/channels/src/destination/destination.ts',
  'packages/channels/src/destination/vendor-facts.ts',
  'packages/channels/src/message/findings.ts',
  'packages/connectors/src/connectors.ts',
  'packages/server/src/domains/contract-rules/faults.ts',
  'packages/server/src/domains/contract-rules/rule.ts',
  'packages/server/src/domains/contract-rules/statements.ts',
  'packages/server/src/domains/definitions/kinds/index.ts',
  'packages/server/src/domains/definitions/planning/directory.ts',
  'packages/server/src/domains/definitions/release.ts',
  'packages/server/src/domains/notices/present.ts',
  'packages/server/src/domains/runs/settlement/decide.ts',
  'packages/server/src/domains/users/roles.ts',
  'packages/server/src/gateways/engine-errors/cleaned.ts',
  'packages/server/src/gateways/engine-errors/error-class.ts',
  'packages/server/src/gateways/engine-errors/known-forms.ts',
  'packages/server/src/gateways/send/destination-rules.ts',
  'packages/server/src/gateways/send/settings.ts',
  'packages/web/src/features/ai-actors/plan-actions.tsx',
  'packages/web/src/features/data-quality/editor/draft-faults.ts',
  'packages/web/src/features/data-quality/editor/draft.ts',
  'packages/web/src/features/data-quality/editor/rules/type-fields.tsx',
  'packages/web/src/features/data-quality/rule-words.ts',
  'packages/web/src/features/recipients/recipient-dialog.tsx',
  'packages/web/src/features/subscriptions/triggers.ts',
  'packages/web/src/features/users/roles-field.tsx',
];

/** Returns the file with a new first member in its list. */
function planted(file: string, text: string): string {
  const list = lists.find(([name]) => path.join(root, contract, name) === file);
  if (!list) return text;
  const start = `export const ${list[1]} = [`;
  if (!text.includes(start)) throw new Error(`${file} declares no list ${list[1]}.`);
  return text.replace(start, `${start}'Planted',`);
}

/** Returns the files of a project with type errors when every list has one more member. */
function filesWithErrors(config: string): readonly string[] {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    path.join(root, config),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  if (!parsed) throw new Error(`${config} cannot be read.`);
  const host = ts.createCompilerHost(parsed.options);
  host.getSourceFile = (file, options) => {
    const text = ts.sys.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, planted(file, text), options);
  };
  const program = ts.createProgram(parsed.fileNames, parsed.options, host);
  const files = program.getSemanticDiagnostics().flatMap(({ file }) => (file ? [file.fileName] : []));
  return [...new Set(files.map((file) => path.relative(root, file)))].sort();
}

const isTest = (file: string): boolean => /[.](test|spec)[.]tsx?$|(^|\/)testing([.]ts$|\/)/.test(file);

test('a new member of a closed list is a type error in each file that covers the list', () => {
  const files = [...filesWithErrors('tsconfig.json'), ...filesWithErrors('packages/web/tsconfig.json')];
  const production = files.filter((file) => !isTest(file));
  expect([...new Set(production)].sort()).toEqual([...covering].sort());
});
