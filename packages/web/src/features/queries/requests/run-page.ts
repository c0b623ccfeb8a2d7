/** Which page of a result is wanted, and the key by which its run can be stopped. */
export type RunPage = { readonly page: string; readonly pageSize: string; readonly runKey: string };
