/** The proxy that the machine is set up with. Members are absent when a variable is not set. */
export type SystemProxySettings = {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy?: string;
};

/**
 * Reads the system's proxy from the usual variables. Lower-case names win, as they do for other programs, and
 * `HTTP_PROXY` is read in lower case only where a request's header could have set it (CGI): there `REQUEST_METHOD`
 * is set too. Without `env`: the process's own.
 */
export function readSystemProxy(
  env: Readonly<Record<string, string | undefined>> = process.env,
): SystemProxySettings {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const httpsProxy = read('HTTPS_PROXY');
  const httpProxy = env['REQUEST_METHOD'] === undefined ? read('HTTP_PROXY') : env['http_proxy'] || undefined;
  const noProxy = read('NO_PROXY');
  return {
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(noProxy === undefined ? {} : { noProxy }),
  };
}
