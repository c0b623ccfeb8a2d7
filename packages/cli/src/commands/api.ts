import { Argument, InvalidArgumentError } from 'commander';
import { type AddCommands, connect, outputOption } from '../command.ts';
import { type CliContext, CommandFailure, readInput } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type OutputFormat, type Result, recordResult, writeResult } from '../output/formats.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `api METHOD PATH`: sends any request of the REST API. */
export const addApiCommand: AddCommands = (program, context) => {
  program
    .command('api')
    .description('send any request of the REST API; the body is read from the input')
    .addArgument(
      new Argument('<method>', methods.join(', ')).argParser((text) => {
        if (!methods.includes(text.toUpperCase()))
          throw new InvalidArgumentError(`Give ${methods.join(', ')}.`);
        return text.toUpperCase();
      }),
    )
    .argument('<path>', 'from the service’s root, such as /svc/api/queries?search=orders', apiPath)
    .option('--no-body', 'send no body, and leave the input alone')
    .option('--idempotency-key <key>', 'have the work done once, however often the request is sent')
    .option('--if-match <tag>', 'change only the version that has this ETag')
    .addOption(outputOption('json'))
    .action((method: string, path: string, options: ApiOptions) => callApi(context, method, path, options));
};

type ApiOptions = { body: boolean; idempotencyKey?: string; ifMatch?: string; output: OutputFormat };

/** Returns a path of the service. Refuses a text that could be another address. */
function apiPath(text: string): string {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(text))
    throw new InvalidArgumentError('Give a path that begins with / and has no spaces.');
  return text;
}

async function callApi(
  context: CliContext,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  const client = connect(context);
  const body = method === 'GET' || !options.body ? '' : (await readInput(context)).trim();
  const answer = await client.send({
    method,
    path,
    ...(body !== '' && { body, contentType: 'application/json' }),
    idempotencyKey: options.idempotencyKey,
    ifMatch: options.ifMatch,
    signal: context.signal,
  });
  const type = answer.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type)) return writeResult(context, options.output, resultOf(await answer.json()));
  if (!answer.body) return;
  if (context.isTerminal) {
    await answer.body.cancel();
    throw new CommandFailure(
      `The answer is ${type || 'no text'}: send it into a file, such as with > answer.`,
      exitCodes.usage,
    );
  }
  for await (const part of answer.body) context.answer(part);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a table of the entries of a list, or of the members of any other value. */
function resultOf(value: unknown): Result {
  const entries = isRecord(value) && Array.isArray(value['items']) ? value['items'] : value;
  if (Array.isArray(entries) && entries.every(isRecord)) {
    const heads = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
    return { heads, rows: entries.map((entry) => heads.map((head) => entry[head])), whole: value };
  }
  return { ...recordResult(isRecord(value) ? value : { value }), whole: value };
}
