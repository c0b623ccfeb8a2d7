/** The element of the index page that says below which path the service is mounted. */
const selector = 'meta[name="svc-base-path"]';

// Tests of single modules run without a page.
const sent = globalThis.document?.querySelector<HTMLMetaElement>(selector)?.content ?? '';

/** The path below which the host mounts the service, such as `/tools`; empty at the root. */
export const basePath = sent.startsWith('/') ? sent : '';

/** A path of the service (`/svc/...`) as the host serves it. */
export const hosted = (path: string): string => basePath + path;
