import { type HiddenSecret, hidden, hiddenSecret } from '../http/hidden-secret.ts';
import { type ExactJson, isList, isObject } from './answer/exact-json.ts';
import { basicOf } from './request/request.ts';
import type { RestConnection } from './settings.ts';

/** A key of at least this length cannot occur in a row by chance. */
const certainLength = 16;

/** Returns the secret of a connection. It is hidden anywhere, and after the name of its parameter in any percent-encoding. */
export function secretOf(connection: RestConnection): HiddenSecret {
  const { secret } = connection;
  if (secret === '') return hiddenSecret('');
  const { hide, lengthMax } = hiddenSecret(secret, [basicOf(connection)]);
  const inAddresses = addressHider(connection);
  return { hide: (text) => inAddresses(hide(text)), lengthMax };
}

/** Returns a function that hides the secret after the name of its parameter. */
function addressHider({ auth, keyParameter, secret }: RestConnection): (text: string) => string {
  if (auth !== 'ApiKeyInQuery') return (text) => text;
  const name = keyParameter.replaceAll('.', '\\.');
  const pattern = new RegExp(`(?<![\\w.-])(${name}=)([^&#;\\s"'<>\\\\]+)`, 'gi');
  return (text) =>
    text.replaceAll(pattern, (match, start: string, value: string) =>
      isSecret(value, secret) ? `${start}${hidden}` : match,
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
 * Returns a function that hides the key in a row: links in rows often repeat the requested address. A key in a header
 * is not part of an address, so those rows remain unchanged.
 */
export function hideInRow(connection: RestConnection): (row: ExactJson) => ExactJson {
  const { auth, secret } = connection;
  if (auth !== 'ApiKeyInQuery') return (row) => row;
  const isCertain = secret.length >= certainLength;
  const inText = isCertain ? secretOf(connection).hide : addressHider(connection);
  const inValue = (value: ExactJson): ExactJson => {
    if (typeof value === 'string') return inText(value);
    if (isList(value)) return value.map(inValue);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [inText(name), inValue(member)]));
  };
  return inValue;
}
