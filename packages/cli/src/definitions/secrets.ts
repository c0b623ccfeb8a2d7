import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { type CliContext, CommandFailure } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';

const prefix = 'SVC_SECRET_';
const shape = /^[A-Z][A-Z0-9_]{0,99}$/;
const fileBytesMax = 1_048_576;
const othersMayRead = 0o077;

/**
 * Reads secrets by name from a file of `NAME: value` lines, in YAML or JSON, and from the variables
 * `SVC_SECRET_<NAME>`. The file takes precedence.
 *
 * @throws CommandFailure if other users may read the file or its content is invalid. No message contains a value.
 */
export function readSecrets(
  { env }: Pick<CliContext, 'env'>,
  file: string | undefined,
): Record<string, string> {
  const given = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    name.startsWith(prefix) && shape.test(name.slice(prefix.length)) && value
      ? [[name.slice(prefix.length), value]]
      : [],
  );
  return { ...Object.fromEntries(given), ...(file !== undefined && readFile(file)) };
}

function readFile(file: string): Record<string, string> {
  const refused = (why: string) => new CommandFailure(`${file} ${why}.`, exitCodes.usage);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw refused('is no file');
  if (stats.size > fileBytesMax) throw refused('is larger than 1 MB');
  if (process.platform !== 'win32' && (stats.mode & othersMayRead) !== 0)
    throw refused('can be read by others: run chmod 600 on it');
  const read = parsed(readFileSync(file, 'utf8'));
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw refused('holds no lines of NAME: value');
  for (const [name, value] of Object.entries(read))
    if (!shape.test(name) || typeof value !== 'string' || value === '')
      throw refused(`holds no text at ${JSON.stringify(name)}`);
  return read as Record<string, string>;
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
