/** Proxy settings of the machine. A member is absent if its variable is not set. */
export type SystemProxySettings = {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy?: string;
};

/**
 * Reads the system's proxy from the usual variables. Lower-case names take precedence, as in other programs. If
 * `REQUEST_METHOD` is set (CGI), `HTTP_PROXY` is read only in lower case, because a request header could have set
 * it.
 *
 * @param env Default: the environment of the process.
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
