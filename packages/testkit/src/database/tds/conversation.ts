import { setTimeout as delay } from 'node:timers/promises';
import { catalogueAnswer, planOf } from './catalogue.ts';
import { type Message, messageType, packetsOf } from './packets.ts';
import { endOf, faultReply, loginFault, loginReply, refusedLoginReply, rowsReply } from './replies.ts';
import { readBatch, readLogin7, readRpc, type StatementRequest } from './requests.ts';
import type { Result, Shop } from './shop.ts';
import {
  columnsToken,
  done,
  doneStatus,
  rowToken,
  token,
  transactionBegun,
  transactionRolledBack,
} from './tokens.ts';

/** Reports an event of the connection to the tests. */
export type Note = (event: { readonly kind: string; readonly text?: string }) => void;

/** Connection to the client, with or without encryption. */
export type Wire = { readonly write: (bytes: Buffer) => void; readonly end: () => void };

/** Duration of `select * from slow` without an attention message. */
const slowMs = 60_000;
const endlessRowsAtOnce = 200;

/** Returns the columns of a result in the form of `sp_describe_first_result_set`. */
const descriptionOf = ({ columns }: Result): Result => ({
  columns: [
    { name: 'is_hidden', type: 'bit' },
    { name: 'name', type: 'nvarchar' },
  ],
  rows: columns.map(({ name }) => [false, name]),
});

type Send = (body: Buffer, isEnd?: boolean) => void;

/** Runs a statement until the signal aborts it. The statement and the attention message have separate answers. */
async function answerSlowly(request: StatementRequest, send: Send, signal: AbortSignal): Promise<void> {
  const isEndless = /\bfrom endless\b/.test(request.sql);
  const columns = [{ name: 'n', type: 'bigint' }];
  if (isEndless) send(columnsToken(columns), false);
  for (let n = 0; isEndless && !signal.aborted; n += endlessRowsAtOnce) {
    const rows = Array.from({ length: endlessRowsAtOnce }, (_, at) => rowToken(columns, [BigInt(n + at)]));
    send(Buffer.concat(rows), false);
    await delay(1);
  }
  if (!isEndless) await delay(slowMs, undefined, { signal }).catch(() => undefined);
}

/** Handles the messages of one connection. */
export function converse(wire: Wire, { shop, onEvent }: { readonly shop: Shop; readonly onEvent: Note }) {
  let user: string | undefined;
  let transaction = 0n;
  let begun = 0n;
  let isPlanning = false;
  let stop: AbortController | undefined;
  const send: Send = (body, isEnd = true) => wire.write(packetsOf(messageType.answer, body, isEnd));

  function signIn(body: Buffer) {
    const login = readLogin7(body);
    onEvent({ kind: 'login', text: JSON.stringify({ ...login, password: undefined }) });
    const fault = loginFault(login);
    if (fault) {
      send(refusedLoginReply(fault));
      return wire.end();
    }
    user = login.user;
    send(loginReply());
  }

  async function answerUntilStopped(request: StatementRequest): Promise<void> {
    const controller = new AbortController();
    stop = controller;
    await answerSlowly(request, send, controller.signal);
    stop = undefined;
    onEvent({ kind: 'stopped', text: request.sql });
    send(endOf(request, doneStatus.error));
    send(done(token.done, doneStatus.attention));
  }

  /** Answers statements about the session, and all statements while `showplan_xml` is on. Returns false for others. */
  function answerSetting(request: StatementRequest): boolean {
    const { sql } = request;
    if (/^set showplan_xml on/.test(sql) && user === 'unplanned') {
      send(faultReply(request, { number: 262, message: "SHOWPLAN permission denied in database 'shop'." }));
      return true;
    }
    if (/^set showplan_xml/.test(sql)) isPlanning = / on;$/.test(sql);
    else if (isPlanning) {
      send(rowsReply(request, planOf(sql)));
      return true;
    }
    if (/begin transaction;$/.test(sql)) {
      begun = ++transaction;
      send(Buffer.concat([transactionBegun(begun), endOf(request, doneStatus.final)]));
      return true;
    }
    if (/rollback transaction;$/.test(sql)) {
      onEvent({ kind: 'rolled back' });
      send(Buffer.concat([transactionRolledBack(begun), endOf(request, doneStatus.final)]));
      begun = 0n;
      return true;
    }
    if (!/^\s*(?:set|use)\b/i.test(sql)) return false;
    send(endOf(request, doneStatus.final));
    return true;
  }

  function answer(request: StatementRequest) {
    const { sql } = request;
    onEvent({ kind: request.isProcedure ? 'procedure' : 'batch', text: sql });
    if (begun !== 0n && request.transaction !== begun)
      throw new Error('A request is not of the transaction.');
    if (answerSetting(request)) return;
    if (/\bfrom (?:slow|endless)\b/.test(sql)) return void answerUntilStopped(request);
    const described = /^exec sys\.sp_describe_first_result_set @tsql = N'([\s\S]*)', @params = /.exec(
      sql,
    )?.[1];
    const outcome =
      catalogueAnswer(sql, user ?? '') ?? shop.run(described?.replaceAll("''", "'") ?? sql, request.values);
    if ('number' in outcome) return send(faultReply(request, outcome));
    send(rowsReply(request, described === undefined ? outcome : descriptionOf(outcome)));
  }

  return {
    close: (): void => {
      stop?.abort();
      shop.close();
    },
    receive: ({ type, body, isIgnored }: Message) => {
      if (type === messageType.login) return signIn(body);
      if (user === undefined) throw new Error('A request comes before the login.');
      if (type === messageType.attention) {
        onEvent({ kind: 'attention' });
        if (stop) return stop.abort();
        return send(done(token.done, doneStatus.attention));
      }
      if (isIgnored) return send(done(token.done, doneStatus.error));
      if (type === messageType.batch) return answer(readBatch(body));
      if (type === messageType.rpc) return answer(readRpc(body));
      throw new Error(`A message of type ${type}.`);
    },
  };
}
