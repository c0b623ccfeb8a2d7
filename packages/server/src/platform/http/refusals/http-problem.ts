/** One refused member of the input. */
export type MemberError = { readonly path: string; readonly message: string };

/** Content of a problem, apart from its status. */
export type HttpProblemOptions = {
  readonly code?: string;
  readonly detail?: string;
  readonly type?: string;
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly MemberError[];
  /** Text to copy that corrects the refused input. */
  readonly remedy?: string;
};

/**
 * An error with a problem response (RFC 9457). The service throws its subclass `Refusal`, whose status comes from
 * the table of codes. A host's error mapping creates problems with its own statuses, codes and types. `detail`
 * states what happened and what to do next, and never contains a secret.
 */
export class HttpProblem extends Error {
  override readonly name: string = 'HttpProblem';
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly type: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly MemberError[] | undefined;
  readonly remedy: string | undefined;

  /**
   * @param status 400 to 599.
   * @param options.type Default `about:blank`: the status is the only meaning.
   * @param options.title Default: the title that HTTP registers for the status.
   */
  constructor(status: number, options: HttpProblemOptions = {}) {
    const title = options.title ?? titles[status] ?? 'Error';
    super(options.detail ?? title);
    this.status = status;
    this.code = options.code;
    this.detail = options.detail;
    this.type = options.type ?? 'about:blank';
    this.title = title;
    this.headers = options.headers ?? {};
    this.errors = options.errors;
    this.remedy = options.remedy;
  }

  /** Returns the problem with additional headers. */
  withHeaders(headers: Readonly<Record<string, string>>): HttpProblem {
    const { code, detail, type, title, errors, remedy } = this;
    return new HttpProblem(this.status, {
      ...(code !== undefined && { code }),
      ...(detail !== undefined && { detail }),
      ...(errors && { errors }),
      ...(remedy !== undefined && { remedy }),
      type,
      title,
      headers: { ...this.headers, ...headers },
    });
  }
}

/** Titles of statuses, as HTTP registers them. */
export const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  424: 'Failed Dependency',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
