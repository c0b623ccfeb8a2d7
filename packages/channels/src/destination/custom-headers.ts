/** Headers of one recipient: names to values. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** Reasons for refusing custom headers: a closed list, with the text that the user reads. */
export const headerRefusalTexts = {
  NotAnObject: 'Custom headers must be a JSON object of header names to string values.',
  TooMany: 'At most 20 custom headers are allowed.',
  NameInvalid: 'is not a valid header name.',
  NameNotAllowed: 'is not among the headers that are allowed.',
  NameNeverAllowed: 'controls the connection, routing, cookies or metadata access and is never allowed.',
  NameRepeated: 'is given more than once.',
  ValueNotText: 'must have a string value.',
  ValueTooLong: 'must have a value of at most 4,096 characters.',
  ValueHasControlCharacters: 'must have a value without control characters.',
  ValueNotSendable: 'must have a value of Latin-1 characters: headers carry no others.',
} as const;

/** A code of `headerRefusalTexts`. */
export type HeaderRefusal = keyof typeof headerRefusalTexts;

/** Parsed custom headers, or the reason of the refusal. `message` names the header, never its value. */
export type CustomHeadersResult =
  | { readonly ok: true; readonly headers: CustomHeaders }
  | { readonly ok: false; readonly refusal: HeaderRefusal; readonly message: string };

/** Number of headers and characters of a value, at most (spec 3 section 8). */
export const customHeadersMax = 20;
export const headerValueCharactersMax = 4_096;

const alwaysAllowed = ['authorization', 'api-key', 'x-api-key', 'ocp-apim-subscription-key'];

/** Headers that no setting allows: they would change the target, the framing or the identity of a request. */
const neverAllowed = new Set([
  'accept-encoding',
  'alt-svc',
  'cf-connecting-ip',
  'client-ip',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'cookie',
  'cookie2',
  'date',
  'early-data',
  'expect',
  'fastly-client-ip',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'keep-alive',
  'max-forwards',
  'metadata',
  'metadata-flavor',
  'origin',
  'range',
  'referer',
  'server',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'true-client-ip',
  'upgrade',
  'user-agent',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-google-metadata-request',
  'x-host',
  'x-http-method',
  'x-http-method-override',
  'x-identity-header',
  'x-metadata-token',
  'x-method-override',
  'x-original-host',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
]);
const neverAllowedPrefixes = [
  ':',
  'access-control-',
  'proxy-',
  'sec-',
  'webhook-',
  'x-aws-ec2-metadata-',
  'x-envoy-',
  'x-forwarded-',
  'x-original-',
];

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
const beyondLatin1 = /[\u0100-\uffff]/;

/** Returns true for a header that no setting can allow. */
export function isNeverAllowedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return neverAllowed.has(lower) || neverAllowedPrefixes.some((prefix) => lower.startsWith(prefix));
}

const refuse = (refusal: HeaderRefusal, name?: string): CustomHeadersResult => ({
  ok: false,
  refusal,
  message:
    name === undefined
      ? headerRefusalTexts[refusal]
      : `The header ${JSON.stringify(name.slice(0, 128))} ${headerRefusalTexts[refusal]}`,
});

function refusalOf(name: string, value: unknown, allowed: ReadonlySet<string>): HeaderRefusal | undefined {
  if (isNeverAllowedHeader(name)) return 'NameNeverAllowed';
  if (!token.test(name)) return 'NameInvalid';
  if (!allowed.has(name.toLowerCase())) return 'NameNotAllowed';
  if (typeof value !== 'string') return 'ValueNotText';
  if (value.length > headerValueCharactersMax) return 'ValueTooLong';
  if (controlCharacters.test(value)) return 'ValueHasControlCharacters';
  return beyondLatin1.test(value) ? 'ValueNotSendable' : undefined;
}

/**
 * Parses custom headers from an unknown value (spec 3 section 2.3).
 *
 * @param allowedHeaders `Svc:Notifications:AllowedHeaders`: names in addition to the four that are always allowed. It
 * cannot allow a name of the forbidden list.
 */
export function parseCustomHeaders(
  value: unknown,
  allowedHeaders: readonly string[] = [],
): CustomHeadersResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('NotAnObject');
  const entries = Object.entries(value);
  if (entries.length > customHeadersMax) return refuse('TooMany');
  const allowed = new Set([...alwaysAllowed, ...allowedHeaders.map((name) => name.trim().toLowerCase())]);
  const seen = new Set<string>();
  const headers: Array<[string, string]> = [];
  for (const [name, headerValue] of entries) {
    const refusal = refusalOf(name, headerValue, allowed);
    if (refusal || typeof headerValue !== 'string') return refuse(refusal ?? 'ValueNotText', name);
    if (seen.has(name.toLowerCase())) return refuse('NameRepeated', name);
    seen.add(name.toLowerCase());
    headers.push([name, headerValue]);
  }
  return { ok: true, headers: Object.fromEntries(headers) };
}
