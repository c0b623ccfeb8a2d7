/** Files of chunks that were fetched, or are being fetched, by URL. */
const files = new Map<string, Promise<void>>();

/** Error that browsers use for a module that cannot be fetched. */
const missing = (url: string): Error => new Error(`Failed to fetch dynamically imported module: ${url}`);

/** Returns true for a file that the document itself loads. */
const isOfDocument = (url: string): boolean =>
  [...document.getElementsByTagName('link')].some((link) => link.href === url) ||
  [...document.scripts].some((script) => script.src === url);

async function fetchScript(url: string): Promise<void> {
  const response = await fetch(url).catch(() => undefined);
  if (!response?.ok) throw missing(url);
  // The browser caches a response only after it has arrived completely.
  await response.arrayBuffer().catch(() => {
    throw missing(url);
  });
}

function addStyles(url: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = url;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  link.addEventListener('load', () => resolve());
  link.addEventListener('error', () => {
    link.remove();
    reject(missing(url));
  });
  document.head.append(link);
  return promise;
}

/** Fetches a file once. A failure is not remembered. */
function fetchOnce(url: string): Promise<void> {
  const earlier = files.get(url);
  if (earlier !== undefined) return earlier;
  const file = isOfDocument(url)
    ? Promise.resolve()
    : url.endsWith('.css')
      ? addStyles(url)
      : fetchScript(url);
  files.set(url, file);
  file.catch(() => files.delete(url));
  return file;
}

/**
 * Imports code of the pages. The build replaces each `import()` by a call of this function.
 *
 * A browser remembers a failed `import()` until the page is loaded again. Therefore this function first fetches all files
 * into the cache of the browser, and imports them only after they have arrived. A later call retries. The build moves a
 * `then` directly after `import()` into `load`: handle failures with `await` and `try`.
 *
 * @param load  the `import()`
 * @param names  files of the code: scripts and styles, relative to the importing file
 * @throws Error with the message of a failed `import()`
 */
export async function loadCode<Module>(
  load: () => Promise<Module>,
  names: readonly string[] = [],
  importer = '',
): Promise<Module> {
  await Promise.all(names.map((name) => fetchOnce(new URL(name, importer).href)));
  return load();
}
