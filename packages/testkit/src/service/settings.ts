/** Settings by key, such as `Svc:ApiKeys:MaxLifetimeDays`. */
export type Settings = Readonly<Record<string, unknown>>;
