/** One member of the input that was refused. */
export type MemberError = { readonly path: string; readonly message: string };

/**
 * An expected refusal: thrown anywhere below a route, mapped once to a problem. `code` is stable and meant for
 * programs; `detail` tells a person what happened and what to do next, and never holds a secret.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly type: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly MemberError[] | undefined;
  /** Text to copy that mends what was refused. */
  readonly remedy: string | undefined;

  constructor(
    status: number,
    options: {
      code?: string;
      detail?: string;
      type?: string;
      title?: string;
      headers?: Readonly<Record<string, string>>;
      errors?: readonly MemberError[];
      remedy?: string | undefined;
    } = {},
  ) {
    super(options.detail ?? options.title ?? titles[status] ?? 'Refused');
    this.status = status;
    this.code = options.code;
    this.detail = options.detail;
    this.type = options.type ?? 'about:blank';
    this.title = options.title ?? titles[status] ?? 'Error';
    this.headers = options.headers ?? {};
    this.errors = options.errors;
    this.remedy = options.remedy;
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
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** 400: the input is wrong; `errors` names the members. */
export const badRequest = (code: string, detail: string, errors?: readonly MemberError[]): Refusal =>
  new Refusal(400, { code, detail, ...(errors && { errors }) });

/** 401 without a credential, or with a bad one when `detail` says so. */
export const unauthorized = (detail?: string, code = 'unauthorized'): Refusal =>
  new Refusal(401, {
    code,
    ...(detail !== undefined && { detail }),
    headers: { 'www-authenticate': 'Bearer' },
  });

/** 403: known, but may not. */
export const forbidden = (code: string, detail: string): Refusal => new Refusal(403, { code, detail });

/** 404: missing, or in a project that the caller cannot read. Always the same answer. */
export const notFound = (): Refusal =>
  new Refusal(404, { code: 'not-found', detail: 'There is no such thing here, or you may not see it.' });

/** 409: the change collides with another or with a state; `errors` names the members that do. */
export const conflict = (code: string, detail: string, errors?: readonly MemberError[]): Refusal =>
  new Refusal(409, { code, detail, ...(errors && { errors }) });

/** 409 for a setting that configuration locks. */
export const settingLocked = (setting: string, detail: string): Refusal =>
  new Refusal(409, {
    code: 'setting-locked',
    type: '/errors/setting-locked',
    title: `The setting ${setting} is locked`,
    detail,
  });

/** 412: the record changed since it was read. */
export const changedMeanwhile = (): Refusal =>
  new Refusal(412, {
    code: 'changed-meanwhile',
    detail: 'Somebody changed this since you read it. Load it again and repeat your change.',
  });

/** 429 with `Retry-After`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): Refusal =>
  new Refusal(429, {
    code: 'too-many-requests',
    detail,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** 503: try again later. */
export const unavailable = (detail: string): Refusal =>
  new Refusal(503, { code: 'unavailable', detail, headers: { 'retry-after': '5' } });
