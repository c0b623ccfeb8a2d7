import type { MethodName } from './api.ts';

/** Call of an API method, as a test sees it. */
export type ApiRequest = {
  readonly method: MethodName;
  readonly scope: string;
  readonly sql?: string;
  readonly body?: unknown;
  readonly query: Readonly<Record<string, string>>;
};

export type ServiceCall = Omit<ApiRequest, 'sql'> & { readonly names: readonly string[] };

/** Query of a call, in the service's format. */
export type QueryBody = {
  readonly query: string;
  readonly maximumBytesBilled?: string;
  readonly queryParameters?: readonly {
    readonly name: string;
    readonly parameterType: { readonly type: string };
    readonly parameterValue: { readonly value: string | null };
  }[];
};

/** Result with values in the service's format. */
export type QueryResult = {
  readonly fields: readonly object[];
  readonly rows: readonly (readonly unknown[])[];
};

/** Returns a call with its statement, if it has one. */
export function presentCall({ method, scope, query, body }: ServiceCall): ApiRequest {
  const text = JSON.stringify(body ?? {});
  const sql = /"query":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return { method, scope, query, body, ...(sql !== undefined && { sql: JSON.parse(sql) as string }) };
}
