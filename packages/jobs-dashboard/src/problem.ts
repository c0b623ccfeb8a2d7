/** Titles of statuses, as HTTP registers them. */
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

/** Every code of a refusal of the dashboard, with its status. */
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

/** A code of a refusal of the dashboard. */
export type DashboardCode = keyof typeof dashboardCodes;

/** What a host says of a kind of refusal: where it is explained, and its title. */
export type ProblemKind = { readonly type: string; readonly title: string };

/** An expected refusal: told to the client as `application/problem+json`. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable, for programs. */
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
   * The body of the answer.
   *
   * @param kindOf  what the host says of a code; without it the status says it all.
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

/** 400: the input is wrong. */
export const invalid = (detail: string): Problem => new Problem('invalid-input', detail);

/** 404: no such thing, or no longer. */
export const notFound = (what: string): Problem =>
  new Problem('not-found', `There is no such ${what} here, or it was removed when its time was up.`);

/** 409: the state of things does not allow it. */
export const conflict = (
  code: 'count-changed' | 'not-possible',
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
): Problem => new Problem(code, detail, { more });
