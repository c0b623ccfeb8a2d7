import { createHash, randomUUID } from 'node:crypto';
import { equalsConstantTime, type KeyRing, open, type Randomness, seal } from '../../crypto/index.ts';
import type { Database } from '../../db/index.ts';

/** An answer as it is sent again. */
export type KeptAnswer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A request as its key is looked up. */
export type KeyedRequest = {
  /** Whose key it is: keys of two callers are two keys. */
  readonly caller: string;
  readonly key: string;
  /** Of method, address and body. */
  readonly digest: string;
};

/**
 * What stands under a key. `Begun`: nothing did, and now this request. `Answered`: the answer of the same request.
 * `OtherRequest`: another request. `UnderWay`: the same, not answered yet. `Lost`: the same, whose end is not known.
 */
export type Begun =
  | { readonly state: 'Begun'; readonly id: string }
  | { readonly state: 'Answered'; readonly answer: KeptAnswer }
  | { readonly state: 'OtherRequest' | 'UnderWay' | 'Lost' };

/** Requests with their answers, in the metadata database: all replicas know them. */
export type IdempotencyStore = {
  readonly begin: (request: KeyedRequest) => Promise<Begun>;
  readonly keep: (id: string, answer: KeptAnswer) => Promise<void>;
  /** The request changed nothing: its key is as if it had not been sent. */
  readonly release: (id: string) => Promise<void>;
  /** Nobody knows what the request changed. */
  readonly lose: (id: string) => Promise<void>;
  /** Removes keys that are older than a day. */
  readonly sweep: () => Promise<void>;
};

const keptHours = 24;
/** A request ends earlier, or its process has. */
const underWayMinutes = 5;

const table = 'idempotent_requests';
const requestPlace = (rowId: string) => ({ table, column: 'request_sealed', rowId });
const answerPlace = (rowId: string) => ({ table, column: 'answer_sealed', rowId });

type Row = {
  readonly id: string;
  readonly request: string;
  readonly answer: string | null;
  readonly isLost: boolean;
  readonly isOld: boolean;
};

export function createIdempotencyStore(deps: {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
}): IdempotencyStore {
  const { database, keys, random } = deps;

  const insert = async ({ caller, digest }: KeyedRequest, keyHash: Buffer): Promise<string | undefined> => {
    const id = randomUUID();
    // A key that is a day old begins anew; the row of the old one is replaced, whatever it says.
    const { rows } = await database.query<{ id: string }>(
      `insert into svc.idempotent_requests as r (id, caller, key_hash, request_sealed) values ($1, $2, $3, $4)
       on conflict (caller, key_hash) do update
         set id = excluded.id, request_sealed = excluded.request_sealed, answer_sealed = null, is_lost = false,
             begun_at = now()
         where r.begun_at < now() - make_interval(hours => $5::int)
       returning id`,
      [id, caller, keyHash, seal(keys, digest, requestPlace(id), random), keptHours],
    );
    return rows[0]?.id;
  };

  const find = async (caller: string, keyHash: Buffer): Promise<Row | undefined> => {
    const { rows } = await database.query<Row>(
      `select id, request_sealed as request, answer_sealed as answer, is_lost as "isLost",
         begun_at < now() - make_interval(mins => $3::int) as "isOld"
       from svc.idempotent_requests where caller = $1 and key_hash = $2`,
      [caller, keyHash, underWayMinutes],
    );
    return rows[0];
  };

  const stateOf = (row: Row, digest: string): Begun => {
    const request = open(keys, row.request, requestPlace(row.id));
    // Sealed under a key that is no more: what was asked is not known, so that nothing is done a second time.
    if (!request.ok) return { state: 'Lost' };
    if (!equalsConstantTime(request.secret.reveal(), digest)) return { state: 'OtherRequest' };
    if (row.answer === null) return { state: row.isLost || row.isOld ? 'Lost' : 'UnderWay' };
    const answer = open(keys, row.answer, answerPlace(row.id));
    return answer.ok
      ? { state: 'Answered', answer: JSON.parse(answer.secret.reveal()) as KeptAnswer }
      : { state: 'Lost' };
  };

  return {
    begin: async (request) => {
      const keyHash = createHash('sha256').update(request.key).digest();
      const id = await insert(request, keyHash);
      if (id !== undefined) return { state: 'Begun', id };
      const row = await find(request.caller, keyHash);
      // Released between the two statements: the client asks again.
      return row ? stateOf(row, request.digest) : { state: 'UnderWay' };
    },
    keep: async (id, answer) => {
      await database.query('update svc.idempotent_requests set answer_sealed = $2 where id = $1', [
        id,
        seal(keys, JSON.stringify(answer), answerPlace(id), random),
      ]);
    },
    release: async (id) => {
      await database.query('delete from svc.idempotent_requests where id = $1', [id]);
    },
    lose: async (id) => {
      await database.query('update svc.idempotent_requests set is_lost = true where id = $1', [id]);
    },
    sweep: async () => {
      await database.query(
        'delete from svc.idempotent_requests where begun_at < now() - make_interval(hours => $1::int)',
        [keptHours],
      );
    },
  };
}
