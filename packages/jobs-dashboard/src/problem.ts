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

/** An expected refusal: told to the client as `application/problem+json`. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    detail: string,
    options: {
      headers?: Readonly<Record<string, string>>;
      more?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
  }

  /** The body of the answer. */
  get body(): Readonly<Record<string, unknown>> {
    return {
      type: 'about:blank',
      title: titles[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
      code: this.code,
      ...this.more,
    };
  }
}

/** 400: the input is wrong. */
export const invalid = (detail: string): Problem => new Problem(400, 'invalid-input', detail);

/** 404: no such thing, or no longer. */
export const notFound = (what: string): Problem =>
  new Problem(404, 'not-found', `There is no such ${what} here, or it was removed when its time was up.`);

/** 409: the state of things does not allow it. */
export const conflict = (
  code: string,
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
): Problem => new Problem(409, code, detail, { more });
