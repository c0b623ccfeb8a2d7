/** Status titles as registered for HTTP. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** All refusal codes of the dashboard, with their status. */
export const dashboardCodes = {
  'invalid-input': 400,
  unauthorized: 401,
  'cross-site-request': 403,
  'dashboard-read-only': 403,
  forbidden: 403,
  'not-found': 404,
  'pages-not-built': 404,
  'method-not-allowed': 405,
  'count-changed': 409,
  'not-possible': 409,
  'body-too-large': 413,
  'json-required': 415,
  internal: 500,
  'database-away': 503,
} as const satisfies Readonly<Record<string, number>>;

/** Refusal code of the dashboard. */
export type DashboardCode = keyof typeof dashboardCodes;

/** Host's explanation of a refusal code: URL and title. */
export type ProblemKind = { readonly type: string; readonly title: string };

/** Expected refusal, sent to the client as `application/problem+json`. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable code for programs. */
  readonly code: DashboardCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    code: DashboardCode,
    detail: string,
    options: {
      headers?: Readonly<Record<string, string>>;
      more?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail);
    this.status = dashboardCodes[code];
    this.code = code;
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
  }

  /**
   * Returns the response body.
   *
   * @param kindOf  returns the host's type and title of a code. Default: `about:blank` and the title of the status.
   */
  body(kindOf?: (code: DashboardCode) => ProblemKind): Readonly<Record<string, unknown>> {
    return {
      ...(kindOf?.(this.code) ?? { type: 'about:blank', title: titles[this.status] ?? 'Error' }),
      status: this.status,
      detail: this.message,
      code: this.code,
      ...this.more,
    };
  }
}

/** Returns a refusal with 400: invalid input. */
export const invalid = (detail: string): Problem => new Problem('invalid-input', detail);

/** Returns a refusal with 404: the resource does not exist or was removed. */
export const notFound = (what: string): Problem =>
  new Problem('not-found', `There is no such ${what} here, or it was removed when its time was up.`);

/** Returns a refusal with 409: the current state does not allow the request. */
export const conflict = (
  code: 'count-changed' | 'not-possible',
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
): Problem => new Problem(code, detail, { more });
