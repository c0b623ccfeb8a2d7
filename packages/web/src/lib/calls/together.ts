type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void };

/** Maximum number of ids in one request. */
const idsMax = 200;

/**
 * Converts a query of many records to a query of one. It collects calls of the same moment into one request, so that
 * each row of a list can query its own record.
 */
export function together<T>(
  readMany: (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  missing: T,
): (id: number) => Promise<T> {
  let waiting = new Map<number, Waiting<T>[]>();
  const send = async (part: ReadonlyMap<number, readonly Waiting<T>[]>) => {
    try {
      const values = await readMany([...part.keys()]);
      for (const [id, all] of part) for (const caller of all) caller.resolve(values.get(id) ?? missing);
    } catch (error) {
      for (const caller of [...part.values()].flat()) caller.reject(error);
    }
  };
  const sendAll = () => {
    const entries = [...waiting];
    waiting = new Map();
    for (let at = 0; at < entries.length; at += idsMax) void send(new Map(entries.slice(at, at + idsMax)));
  };
  return (id) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.size === 0) setTimeout(sendAll);
      waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]);
    });
}
