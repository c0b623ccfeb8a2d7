import { type ExactJson, isList, isObject } from './exact-json.ts';
import { basicOf } from './request.ts';
import type { RestConnection } from './settings.ts';

const hidden = '•••';
/** A key that long does not stand in a row by chance. */
const certainLength = 16;

/** The secret as it is, and as addresses and headers write it. */
function formsOf(connection: RestConnection): readonly string[] {
  const secret = connection.secret.toWellFormed();
  const inQuery = new URLSearchParams([['', secret]]).toString().slice(1);
  return [connection.secret, encodeURIComponent(secret), inQuery, basicOf(connection)];
}

/** Takes the secret out of words that are told to people, in whatever form the API repeats it. */
export function hideInWords(connection: RestConnection, words: string): string {
  if (connection.secret === '') return words;
  const clean = formsOf(connection).reduce((text, form) => text.replaceAll(form, hidden), words);
  return hideInAddresses(connection, clean);
}

/** The secret behind the name of its parameter, however its characters are written. */
function hideInAddresses({ auth, keyParameter, secret }: RestConnection, text: string): string {
  if (auth !== 'ApiKeyInQuery') return text;
  const name = keyParameter.replaceAll('.', '\\.');
  const pattern = new RegExp(`(?<![\\w.-])(${name}=)([^&#;\\s"'<>\\\\]+)`, 'gi');
  return text.replaceAll(pattern, (whole, start: string, value: string) =>
    isSecret(value, secret) ? `${start}${hidden}` : whole,
  );
}

function isSecret(value: string, secret: string): boolean {
  if (value === secret) return true;
  try {
    return [value, value.replaceAll('+', ' ')].map(decodeURIComponent).includes(secret.toWellFormed());
  } catch {
    return false;
  }
}

/**
 * Takes a key out of a row, whose links often repeat the address that was asked for. A key in a header is no part of an
 * address, so that those rows stay as they are.
 */
export function hideInRow(connection: RestConnection): (row: ExactJson) => ExactJson {
  const { auth, secret } = connection;
  if (auth !== 'ApiKeyInQuery') return (row) => row;
  const isCertain = secret.length >= certainLength;
  const inText = (text: string): string =>
    isCertain ? hideInWords(connection, text) : hideInAddresses(connection, text);
  const inValue = (value: ExactJson): ExactJson => {
    if (typeof value === 'string') return inText(value);
    if (isList(value)) return value.map(inValue);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [inText(name), inValue(member)]));
  };
  return inValue;
}
