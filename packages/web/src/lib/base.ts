/** Element of the index page that contains the path at which the service is mounted. */
const selector = 'meta[name="svc-base-path"]';

// Unit tests run without a page.
const sent = globalThis.document?.querySelector<HTMLMetaElement>(selector)?.content ?? '';

/** Path at which the host mounts the service, such as `/tools`. Empty at the root. */
export const basePath = sent.startsWith('/') ? sent : '';

/** Returns a path of the service (`/svc/...`) below the host's base path. */
export const hosted = (path: string): string => basePath + path;
