import { mask, type Parsed, type ReviewPart, refused } from './mask.ts';
import { knownPathSegments } from './vendor-facts.ts';

/** The destination of a webhook or a chat: a URL. */
export type UrlDestination = { readonly url: string };

/** Parses the form only. The outbound policy decides which hosts are allowed. */
export function parseUrlDestination(text: string): Parsed<UrlDestination> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text))
    return refused('The destination must be a URL that begins with https://.');
  return { ok: true, value: { url: text } };
}

/** Returns scheme, host and port; the rest is masked. */
export function maskUrl({ url }: UrlDestination): string {
  const { origin, protocol } = new URL(url);
  // Schemes other than http and https have no origin, so the whole URL is masked.
  return protocol === 'https:' || protocol === 'http:' ? `${origin}/${mask}` : mask;
}

function maskedPath(url: URL, isShown: (segment: string) => boolean): string {
  return url.pathname
    .split('/')
    .map((segment) => (segment === '' || isShown(segment) ? segment : mask))
    .join('/');
}

const originParts = (url: URL): ReviewPart[] => [
  { label: 'Scheme', value: url.protocol.slice(0, -1) },
  { label: 'Host', value: url.hostname },
  { label: 'Port', value: url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port },
];

/**
 * Returns the parts of a webhook for reviewers (spec 3 section 5.5). Scheme, host and port are visible; path segments,
 * user info, query values and fragment are masked. Names of query parameters, the text before the `=`, are visible.
 */
export function reviewWebhookUrl({ url: text }: UrlDestination): ReviewPart[] {
  const url = new URL(text);
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    // A pair without "=" may be a bare token, so all of it is masked.
    .map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=${mask}` : mask))
    .join('&');
  return [
    ...originParts(url),
    ...(url.username === '' && url.password === '' ? [] : [{ label: 'User info', value: mask }]),
    { label: 'Path', value: maskedPath(url, () => false) },
    ...(query === '' ? [] : [{ label: 'Query', value: query }]),
    ...(url.hash === '' ? [] : [{ label: 'Fragment', value: mask }]),
  ];
}

/**
 * Returns the parts of a chat's URL for reviewers: scheme, host, port, and the path segments that all URLs of the
 * vendor share. The rest identifies the channel or is its secret.
 */
export function reviewVendorUrl({ url: text }: UrlDestination): ReviewPart[] {
  const url = new URL(text);
  return [
    ...originParts(url),
    { label: 'Path', value: maskedPath(url, (segment) => knownPathSegments.has(segment)) },
  ];
}
