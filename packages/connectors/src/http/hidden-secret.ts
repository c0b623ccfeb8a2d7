/** What stands in place of a secret. */
export const hidden = '•••';

/** A secret that servers may repeat in what they say of a request. */
export type HiddenSecret = {
  /** Words without the secret, in whichever way they write it. */
  readonly hide: (words: string) => string;
  /** So many characters the secret has at most, however it is written. */
  readonly lengthMax: number;
};

/** Characters that the longest writing, such as `\u002f` or `&quot;`, has for one byte. */
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

/** How texts write a secret: as it is, in addresses and forms, JSON, SQL, HTML, as the bytes of a header, in base64. */
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
 * @param secret  an empty one is none
 * @param others  what also holds it, such as the header of a sign-in
 */
export function hiddenSecret(secret: string, others: readonly string[] = []): HiddenSecret {
  if (secret === '') return { hide: (words) => words, lengthMax: 0 };
  const forms = [...formsOf(secret), ...others];
  return {
    hide: (words) => withoutForms(words, forms),
    lengthMax: Math.max(lengthOfByteMax * Buffer.byteLength(secret), ...forms.map(({ length }) => length)),
  };
}

// A lone surrogate is sent as what stands in for it.
const formsOf = (secret: string): readonly string[] =>
  secret === '' ? [] : [secret, ...writingsOf(secret.toWellFormed())];

/** The longest go first: a longer one may hold a shorter one, and would stay in part. */
const withoutForms = (words: string, forms: readonly string[]): string =>
  [...new Set(forms)]
    .sort((a, b) => b.length - a.length)
    .reduce((text, form) => text.replaceAll(form, hidden), words);

/** Words without any of the secrets, in whichever way they write them. */
export const hideAll = (words: string, secrets: readonly string[]): string =>
  withoutForms(words, secrets.flatMap(formsOf));

/** The first words of a text, so many characters at most; of a longer one without a part of the secret at their end. */
export const firstWords = (text: string, lengthMax: number, secret: HiddenSecret): string =>
  text.length <= lengthMax ? text : withoutEnd(text.slice(0, lengthMax + secret.lengthMax), secret);

/** Words that were cut, without as many characters at their end as the secret may have. */
export const withoutEnd = (words: string, { lengthMax }: HiddenSecret): string =>
  words.slice(0, Math.max(0, words.length - lengthMax));
