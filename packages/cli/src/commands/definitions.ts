import { type DefinitionPlan, type DefinitionResult, type DefinitionStep, SvcProblem } from '@svc/client';
import { InvalidArgumentError, Option } from 'commander';
import { type AddCommands, connect, type EndWith, given, outputOption } from '../command.ts';
import { type CliContext, CommandFailure, type DefinitionsClient } from '../context.ts';
import { readFolder } from '../definitions/read-folder.ts';
import { readSecrets } from '../definitions/secrets.ts';
import { writeFolder } from '../definitions/write-folder.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Column, listResult, type OutputFormat, writeResult } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';

/** Duration of an apply grows with the number of records. */
const applyMaxMs = 3_600_000;
const slug = /^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/;

const stepColumns: readonly Column<DefinitionStep>[] = [
  { head: 'action', of: ({ action }) => action },
  { head: 'file', of: ({ path }) => path },
  { head: 'members', of: ({ members }) => members.join(' ') },
  { head: 'note', of: noteOf },
];
const resultColumns: readonly Column<DefinitionResult>[] = [
  { head: 'outcome', of: ({ outcome }) => outcome },
  { head: 'action', of: ({ action }) => action },
  { head: 'file', of: ({ path }) => path },
  { head: 'note', of: ({ detail }) => detail ?? '' },
];

/** `export`, `plan`, `apply` and `drift` of a folder. */
export const addDefinitionCommands: AddCommands = (program, context, end) => {
  program
    .command('export')
    .description('write records into a folder, a file each: 5 when some may not be read in full')
    .argument('<folder>', 'where the files are')
    .option('--project <slug>', 'only this one and what it refers to; may be repeated', addSlug, [])
    .action((folder: string, { project }: { project: string[] }) =>
      exportInto(context, end, folder, project),
    );
  folderCommand('plan', 'say what applying a folder would change: 3 when something differs').action(
    async (folder: string, options: FolderOptions) => {
      const { steps } = await withService(context, options, (client) =>
        plan(context, client, folder, options),
      );
      writeResult(context, options.output, listResult(shown(steps), stepColumns));
      context.say(counts(steps));
      end(codeOfPlan(steps));
    },
  );
  folderCommand(
    'apply',
    'apply a folder: 4 when something waits for approval, 5 when something is not allowed',
  )
    .option('--force', 'delete more than a fifth of what was applied')
    .action((folder: string, options: FolderOptions & { force?: true }) =>
      withService(context, options, (client) => apply(context, client, end, { folder, ...options })),
    );
  folderCommand(
    'drift',
    'name the records that somebody changed since they were applied: 3 when there are some',
  ).action(async (folder: string, options: FolderOptions) => {
    const { steps } = await withService(context, options, (client) => plan(context, client, folder, options));
    const drifted = steps.filter(({ action }) => action === 'Drifted');
    writeResult(context, options.output, listResult(drifted, stepColumns));
    context.say(drifted.length > 0 ? `${drifted.length} Drifted.` : 'Nothing drifted.');
    if (drifted.length > 0) end(exitCodes.differences);
  });

  function folderCommand(name: string, description: string) {
    return program
      .command(name)
      .description(description)
      .argument('<folder>', 'where the files are')
      .option('--manager <slug>', 'name of the folder, where several are applied to one service', oneSlug)
      .option('--managed', 'from then on the records are changed by these files alone, and not by hand')
      .option('--host', 'on the machine of the service: by its settings, without a key')
      .option('--as <user>', 'with --host: user name of the person whose rights hold')
      .option('--prune', 'delete what was applied once and whose file is gone')
      .addOption(
        new Option('--secrets-file <file>', 'lines of NAME: value, beside the variables SVC_SECRET_NAME'),
      )
      .addOption(outputOption());
  }
};

type FolderOptions = {
  manager?: string;
  managed?: true;
  host?: true;
  as?: string;
  prune?: true;
  secretsFile?: string;
  output: OutputFormat;
};

function oneSlug(text: string): string {
  if (!slug.test(text)) throw new InvalidArgumentError('Give lower-case letters, digits and hyphens.');
  return text;
}
const addSlug = (text: string, before: readonly string[]): string[] => [...before, oneSlug(text)];

async function exportInto(
  context: CliContext,
  end: EndWith,
  folder: string,
  projects: readonly string[],
): Promise<void> {
  const body = projects.length > 0 ? { projects: [...projects] } : {};
  const { files, omitted } = await connect(context).exportDefinitions({ body }, { signal: context.signal });
  const { written, unchanged, gone } = writeFolder(folder, files);
  for (const name of written) context.answer(`${plainLine(name)}\n`);
  context.say(`${written.length} written, ${unchanged} unchanged.`);
  if (projects.length === 0) for (const name of gone) context.say(plainLine(`Not in the service: ${name}`));
  for (const line of omissions(omitted)) context.say(plainLine(line));
  if (omitted.length > 0) end(exitCodes.notAllowed);
}

const namedMax = 5;

/** Returns a line for each reason, with its omitted members. */
function omissions(omitted: readonly { readonly path: string; readonly reason: string }[]): string[] {
  return [...new Set(omitted.map(({ reason }) => reason))].map((reason) => {
    const paths = omitted.filter((each) => each.reason === reason).map(({ path }) => path);
    const more = paths.length > namedMax ? ` and ${paths.length - namedMax} more` : '';
    return `Left out: ${paths.slice(0, namedMax).join(', ')}${more}. ${reason}`;
  });
}

/** Counts the steps of each action, e.g. `2 Create, 40 Unchanged.` */
function counts(steps: readonly DefinitionStep[]): string {
  const actions = steps.map(({ action }) => action);
  const countTexts = [...new Set(actions)].map(
    (action) => `${actions.filter((each) => each === action).length} ${action}`,
  );
  return `${countTexts.join(', ') || 'No steps'}.`;
}

async function plan(
  context: CliContext,
  client: DefinitionsClient,
  folder: string,
  { manager, managed, prune, secretsFile }: FolderOptions,
): Promise<DefinitionPlan & { readonly secrets: Record<string, string> }> {
  const files = readFolder(folder);
  if (files.length === 0)
    throw new CommandFailure(`There is no file of a record in ${plainLine(folder)}.`, exitCodes.usage);
  const secrets = readSecrets(context, secretsFile);
  const body = { files, secrets, ...given({ manager, managed, prune }) };
  try {
    return { ...(await client.planDefinitions({ body }, { signal: context.signal })), secrets };
  } catch (error) {
    throw error instanceof SvcProblem && error.code === 'body-too-large' ? tooLarge(body) : error;
  }
}

const megabyte = 1_048_576;

function tooLarge(body: object): CommandFailure {
  const size = (Buffer.byteLength(JSON.stringify(body)) / megabyte).toFixed(1);
  return new CommandFailure(
    `The folder makes a request of ${size} MB, which is more than the service takes. Raise Svc:Http:BodyLimitBytes there, or apply on its machine: svc apply FOLDER --host --as USER.`,
    exitCodes.failed,
  );
}

/** Uses the service of the credentials, or the service of this machine. */
function withService<T>(
  context: CliContext,
  { host, as: userName }: FolderOptions,
  work: (client: DefinitionsClient) => Promise<T>,
): Promise<T> {
  if ((host === true) !== (userName !== undefined))
    throw new CommandFailure('Give --host and --as USER together.', exitCodes.usage);
  if (userName === undefined) return work(connect(context));
  if (context.onMachine) return context.onMachine(userName, work);
  throw new CommandFailure(
    'This program knows no service of its own. On the machine of the service: npm run svc -- apply FOLDER --host --as USER.',
    exitCodes.usage,
  );
}

async function apply(
  context: CliContext,
  client: DefinitionsClient,
  end: EndWith,
  { folder, ...options }: FolderOptions & { readonly folder: string; readonly force?: true },
): Promise<void> {
  const { planId, steps, secrets } = await plan(context, client, folder, options);
  for (const step of shown(steps))
    context.say(plainLine(`${step.action} ${step.path} ${step.members.join(' ')}`.trim()));
  const { results } = await client.applyDefinitions(
    { body: { planId, secrets, ...given({ force: options.force }) } },
    { signal: context.signal, timeoutMs: applyMaxMs },
  );
  const effectiveResults = results.filter(({ outcome }) => outcome !== 'Nothing');
  writeResult(context, options.output, listResult(effectiveResults, resultColumns));
  end(codeOfResults(results));
}

const shown = (steps: readonly DefinitionStep[]): DefinitionStep[] =>
  steps.filter(({ action }) => action !== 'Unchanged');

function noteOf({ reason, needsApproval, needsSecrets }: DefinitionStep): string {
  return [
    ...(reason === null ? [] : [reason]),
    ...(needsApproval ? ['files a request for approval'] : []),
    ...(needsSecrets.length > 0 ? [`takes ${needsSecrets.join(', ')}`] : []),
  ].join('; ');
}

/** Precedence: not allowed, then differences, then approvals. */
function codeOfPlan(steps: readonly DefinitionStep[]): ExitCode {
  const actions = steps.map(({ action }) => action);
  if (actions.includes('NotAllowed')) return exitCodes.notAllowed;
  if (actions.some((action) => !quiet.has(action))) return exitCodes.differences;
  return actions.includes('AwaitsApproval') ? exitCodes.awaitsApproval : exitCodes.done;
}
const quiet: ReadonlySet<DefinitionStep['action']> = new Set<DefinitionStep['action']>([
  'Unchanged',
  'AwaitsApproval',
]);

/** Precedence: failures, then not allowed, then approvals. */
function codeOfResults(results: readonly DefinitionResult[]): ExitCode {
  const outcomes = new Set(results.map(({ outcome }) => outcome));
  if (outcomes.has('Failed') || outcomes.has('Skipped')) return exitCodes.failed;
  if (outcomes.has('NotAllowed')) return exitCodes.notAllowed;
  return outcomes.has('AwaitsApproval') ? exitCodes.awaitsApproval : exitCodes.done;
}
