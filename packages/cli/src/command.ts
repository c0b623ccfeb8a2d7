import { createSvcClient, type SvcClient } from '@svc/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from './context.ts';
import { readCredentials } from './credentials.ts';
import { type OutputFormat, outputFormats } from './output/formats.ts';

/** Ends a command with an exit code. */
export type EndWith = (code: number) => void;

/** Adds commands to the program. */
export type AddCommands = (program: Command, context: CliContext, end: EndWith) => void;

/** Creates a client of the service that `login` or the environment defines. */
export function connect(context: CliContext): SvcClient {
  const { url, key } = readCredentials(context);
  return clientOf(url, key);
}

/** Creates a client of one service. */
export const clientOf = (url: string, key: string | undefined): SvcClient =>
  createSvcClient({ url, key, userAgent: 'svc-cli' });

/** Returns the option for the output format. */
export const outputOption = (format: OutputFormat = 'table'): Option =>
  new Option('-o, --output <format>', 'how the answer is written')
    .choices([...outputFormats])
    .default(format);

/** Parses the id of a record. */
export function recordId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('Give the number of a record.');
  return Number(text);
}

/** Parses the requested number of list entries. */
export function entryCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(text);
}

/** Returns the members with a value. An omitted option has none. */
export const given = <T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** The largest page of a list. */
const pageSizeMax = 200;

/** Returns the first entries of a list, up to a limit. */
export async function firstOf<T>(
  list: (page: { readonly pageSize: number }) => AsyncIterable<T>,
  limit: number,
): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of list({ pageSize: Math.min(pageSizeMax, limit) })) {
    entries.push(entry);
    if (entries.length >= limit) break;
  }
  return entries;
}
