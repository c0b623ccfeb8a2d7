/** Replacement for a secret. */
export const hidden = '•••';

/** Secret that servers may repeat in messages about a request. */
export type HiddenSecret = {
  /** Returns the text without the secret in any of its encodings. */
  readonly hide: (words: string) => string;
  /** Longest encoding of the secret, in characters. */
  readonly lengthMax: number;
};

/** Characters per byte in the longest encoding, such as `\u002f` or `&quot;`. */
const lengthOfByteMax = 6;

const inAddress = (secret: string): string =>
  encodeURIComponent(secret).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const inForm = (secret: string): string => new URLSearchParams([['', secret]]).toString().slice(1);
const inSmallLetters = (encoded: string): string =>
  encoded.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase());
const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);
const inAscii = (json: string): string =>
  json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inCapitals = (json: string): string =>
  json.replaceAll(/\\u[\da-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`);
const inHtmlText = (secret: string): string =>
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inHtml = (secret: string, apostrophe: string): string =>
  inHtmlText(secret).replaceAll('"', '&quot;').replaceAll("'", apostrophe);

/** Returns the encodings of a secret: plain, in addresses and forms, JSON, SQL, HTML, as bytes of a header, in base64. */
function writingsOf(secret: string): readonly string[] {
  const encoded = [encodeURIComponent(secret), inAddress(secret), inForm(secret)];
  const json = [inJson(secret), inJson(secret).replaceAll('/', '\\/')].flatMap((text) => [
    text,
    inAscii(text),
  ]);
  return [
    secret,
    ...encoded,
    ...encoded.map(inSmallLetters),
    ...json,
    ...json.map(inCapitals),
    secret.replaceAll(/['\\]/g, '\\$&'),
    inHtmlText(secret),
    ...['&#39;', '&#x27;', '&apos;'].map((apostrophe) => inHtml(secret, apostrophe)),
    Buffer.from(secret).toString('latin1'),
    Buffer.from(secret).toString('base64'),
  ];
}

/**
 * @param secret  empty: hides nothing
 * @param others  further texts to hide, such as the header of a sign-in
 */
export function hiddenSecret(secret: string, others: readonly string[] = []): HiddenSecret {
  if (secret === '') return { hide: (text) => text, lengthMax: 0 };
  const forms = [...formsOf(secret), ...others];
  return {
    hide: (text) => withoutForms(text, forms),
    lengthMax: Math.max(lengthOfByteMax * Buffer.byteLength(secret), ...forms.map(({ length }) => length)),
  };
}

// A lone surrogate is sent as the replacement character.
const formsOf = (secret: string): readonly string[] =>
  secret === '' ? [] : [secret, ...writingsOf(secret.toWellFormed())];

/** Replaces the longest forms first: a longer form may contain a shorter one and would be hidden only in part. */
const withoutForms = (text: string, forms: readonly string[]): string =>
  [...new Set(forms)]
    .sort((a, b) => b.length - a.length)
    .reduce((text, form) => text.replaceAll(form, hidden), text);

/** Returns the text without any of the secrets in any of their encodings. */
export const hideAll = (text: string, secrets: readonly string[]): string =>
  withoutForms(text, secrets.flatMap(formsOf));

/** Returns at most `lengthMax` characters of a text. A cut text contains no part of the secret at its end. */
export const firstWords = (text: string, lengthMax: number, secret: HiddenSecret): string =>
  text.length <= lengthMax ? text : withoutEnd(text.slice(0, lengthMax + secret.lengthMax), secret);

/** Removes as many characters from the end of a cut text as the secret may have. */
export const withoutEnd = (text: string, { lengthMax }: HiddenSecret): string =>
  text.slice(0, Math.max(0, text.length - lengthMax));
