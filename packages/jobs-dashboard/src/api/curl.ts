type Call = {
  readonly method: string;
  readonly routeTemplate: string;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly requestBody: string | null;
};

/** Omitted headers: curl sets them, or they belong to one connection. */
const omittedHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'traceparent',
  'tracestate',
]);
const hostPattern = /^[\w.-]+(:\d+)?$|^\[[0-9a-f:.]+\](:\d+)?$/i;

/** Quotes a text for a POSIX shell: single quotes disable all special characters. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns a command that repeats a call as far as it was captured. The path is the template, and redacted values remain
 * redacted.
 */
export function curlOf(call: Call): string {
  const headers = Object.entries(call.requestHeaders ?? {});
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const origin = `https://${host !== undefined && hostPattern.test(host) ? host : 'host.example'}`;
  const parts = [
    `curl -X ${quoted(call.method)} ${quoted(origin + call.routeTemplate)}`,
    ...headers
      .filter(([name]) => !omittedHeaders.has(name.toLowerCase()))
      // A line break would begin another header.
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`.replaceAll(/[\r\n]+/g, ' '))}`),
    ...(call.requestBody === null ? [] : [`--data-raw ${quoted(call.requestBody)}`]),
  ];
  return parts.join(' \\\n  ');
}
