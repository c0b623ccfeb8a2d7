import { createHash, randomUUID } from 'node:crypto';
import { equalsConstantTime, type KeyRing, open, type Randomness, seal } from '../../crypto/index.ts';
import type { Database } from '../../db/index.ts';

/** A stored response for replay. */
export type KeptAnswer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A request with its idempotency key. */
export type KeyedRequest = {
  /** Owner of the key. The keys of two callers are separate. */
  readonly caller: string;
  readonly key: string;
  /** Digest of method, address and body. */
  readonly digest: string;
};

/**
 * State of a key.
 *
 * - `Begun`: the key was free; this request now owns it.
 * - `Answered`: the same request has a stored response.
 * - `OtherRequest`: the key belongs to another request.
 * - `UnderWay`: the same request is still running.
 * - `Lost`: the outcome of the same request is unknown.
 */
export type Begun =
  | { readonly state: 'Begun'; readonly id: string }
  | { readonly state: 'Answered'; readonly answer: KeptAnswer }
  | { readonly state: 'OtherRequest' | 'UnderWay' | 'Lost' };

/** Requests with their responses, in the metadata database, shared by all replicas. */
export type IdempotencyStore = {
  readonly begin: (request: KeyedRequest) => Promise<Begun>;
  readonly keep: (id: string, answer: KeptAnswer) => Promise<void>;
  /** Releases a key after a request without changes. The key can be used again. */
  readonly release: (id: string) => Promise<void>;
  /** Marks a request whose outcome is unknown. */
  readonly lose: (id: string) => Promise<void>;
  /** Removes keys that are older than a day. */
  readonly sweep: () => Promise<void>;
};

const keptHours = 24;
/** Time after which a request without a response counts as lost. A request ends earlier, unless its process died. */
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
    // A key that is a day old begins anew: its row is replaced in any state.
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
    // The sealing key no longer exists, so the requests cannot be compared. The work is not repeated.
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
      // Released between the two statements. The client retries.
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
