import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { catalogueAnswer, logins, planOf } from './catalogue.ts';
import { createMessageReader, type Message, messageType, packetBytes, packetsOf } from './packets.ts';
import {
  type Asked,
  encryption,
  preloginAnswer,
  readBatch,
  readLogin7,
  readPrelogin,
  readRpc,
} from './requests.ts';
import { openShop, type Result, type Shop } from './shop.ts';
import { type ServerIdentity, startServerTls } from './tls-layer.ts';
import {
  collationChange,
  columnsToken,
  databaseChange,
  done,
  doneStatus,
  errorToken,
  type Fault,
  loginAcknowledged,
  packetSizeChange,
  returnStatus,
  rowToken,
  token,
  transactionBegun,
  transactionRolledBack,
} from './tokens.ts';

/** Event at the server, for inspection by the tests. */
export type TdsEvent = {
  /** Number of the connection, from 1. */
  readonly connection: number;
  readonly kind: string;
  readonly text?: string;
};

type Note = (event: Omit<TdsEvent, 'connection'>) => void;

export type TdsServerOptions = {
  readonly shopFile: string;
  /** If present, all connections must be encrypted. */
  readonly identity?: ServerIdentity;
  readonly onEvent: (event: TdsEvent) => void;
};

/** Creates a server for the part of TDS 7.4 that clients use. It closes connections that violate the protocol. */
export function createTdsServer(options: TdsServerOptions): Server {
  let connections = 0;
  return createServer((socket) => {
    const connection = ++connections;
    socket.on('error', () => undefined);
    serve(socket, options, (event) => options.onEvent({ connection, ...event }));
  });
}

type Wire = { readonly write: (bytes: Buffer) => void; readonly end: () => void };

function serve(socket: Socket, { shopFile, identity }: TdsServerOptions, onEvent: Note): void {
  const read = createMessageReader();
  let layer: ReturnType<typeof startServerTls> | undefined;
  let wire: Wire = { write: (bytes) => socket.write(bytes), end: () => socket.end() };
  const conversation = converse(
    { write: (bytes) => wire.write(bytes), end: () => wire.end() },
    { shop: openShop(shopFile), onEvent },
  );
  const hear = (message: Message) => {
    if (message.type !== messageType.prelogin) return conversation.hear(message);
    if (layer) return layer.feed(message.body, false);
    const wish = readPrelogin(message.body);
    const answer = identity ? encryption.required : encryption.notSupported;
    const granted = identity && wish === encryption.on ? encryption.on : answer;
    socket.write(packetsOf(messageType.answer, preloginAnswer(granted)));
    onEvent({ kind: 'prelogin', text: String(wish) });
    if (!identity) return;
    const made = startServerTls(socket, identity);
    layer = made;
    wire = { write: (bytes) => made.secured.write(bytes), end: () => made.secured.end() };
    const readSecured = createMessageReader();
    made.secured.on('data', (chunk: Buffer) => {
      guarded(() => {
        for (const message of readSecured(chunk)) conversation.hear(message);
      });
    });
  };
  /** Reports a violation of the protocol as an event and closes the connection. */
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onEvent({ kind: 'violation', text: String(error) });
      socket.destroy();
    }
  };
  socket.on('data', (chunk: Buffer) => {
    if (layer?.isBareRecord(chunk)) layer.feed(chunk, true);
    else
      guarded(() => {
        for (const message of read(chunk)) hear(message);
      });
  });
  socket.on('close', () => {
    conversation.close();
    onEvent({ kind: 'closed' });
  });
}

type Ground = { readonly shop: Shop; readonly onEvent: Note };

/** Returns the columns of a result in the form of `sp_describe_first_result_set`. */
const descriptionOf = ({ columns }: Result): Result => ({
  columns: [
    { name: 'is_hidden', type: 'bit' },
    { name: 'name', type: 'nvarchar' },
  ],
  rows: columns.map(({ name }) => [false, name]),
});

/** Duration of `select * from slow` without an attention message. */
const slowMs = 60_000;
const endlessRowsAtOnce = 200;

/** Handles the messages of one connection. */
function converse(wire: Wire, { shop, onEvent }: Ground) {
  let user: string | undefined;
  let transaction = 0n;
  let begun = 0n;
  let isPlanning = false;
  let stop: AbortController | undefined;
  const send = (body: Buffer, isEnd = true): void => wire.write(packetsOf(messageType.answer, body, isEnd));
  const ended = (asked: Asked, status: number, rows = 0): Buffer =>
    asked.isProcedure
      ? Buffer.concat([
          done(token.doneInProcedure, status | doneStatus.more, rows),
          returnStatus(),
          done(token.doneProcedure, status & doneStatus.error),
        ])
      : done(token.done, status, rows);

  function signIn(body: Buffer) {
    const login = readLogin7(body);
    onEvent({ kind: 'login', text: JSON.stringify({ ...login, password: undefined }) });
    const account = logins.get(login.user);
    const fault: Fault | undefined =
      account?.password !== login.password
        ? { number: 18_456, message: `Login failed for user '${login.user}'.` }
        : login.database !== '' && login.database !== 'shop'
          ? {
              number: 4_060,
              message: `Cannot open database "${login.database}" requested by the login. The login failed.`,
            }
          : undefined;
    if (fault) {
      send(Buffer.concat([errorToken(fault), done(token.done, doneStatus.error)]));
      return wire.end();
    }
    user = login.user;
    send(
      Buffer.concat([
        databaseChange('shop'),
        collationChange(),
        loginAcknowledged(),
        packetSizeChange(packetBytes),
        done(token.done, doneStatus.final),
      ]),
    );
  }

  const answerRows = (asked: Asked, { columns, rows }: Result): void =>
    send(
      Buffer.concat([
        columnsToken(columns),
        ...rows.map((row) => rowToken(columns, row)),
        ended(asked, doneStatus.count, rows.length),
      ]),
    );

  const answerFault = (asked: Asked, fault: Fault): void =>
    send(Buffer.concat([errorToken(fault), ended(asked, doneStatus.error)]));

  /** Runs a statement until an attention message stops it. The statement and the attention have separate answers. */
  async function answerSlowly(asked: Asked, isEndless: boolean): Promise<void> {
    const own = new AbortController();
    stop = own;
    const columns = [{ name: 'n', type: 'bigint' }];
    if (isEndless) send(columnsToken(columns), false);
    for (let n = 0; isEndless && !own.signal.aborted; n += endlessRowsAtOnce) {
      const rows = Array.from({ length: endlessRowsAtOnce }, (_, at) => rowToken(columns, [BigInt(n + at)]));
      send(Buffer.concat(rows), false);
      await delay(1);
    }
    if (!isEndless) await delay(slowMs, undefined, { signal: own.signal }).catch(() => undefined);
    stop = undefined;
    onEvent({ kind: 'stopped', text: asked.sql });
    send(ended(asked, doneStatus.error));
    send(done(token.done, doneStatus.attention));
  }

  /** Answers statements about the session, and all statements while `showplan_xml` is on. Returns false for others. */
  function answerSetting(asked: Asked): boolean {
    const { sql } = asked;
    if (/^set showplan_xml on/.test(sql) && user === 'unplanned') {
      answerFault(asked, { number: 262, message: "SHOWPLAN permission denied in database 'shop'." });
      return true;
    }
    if (/^set showplan_xml/.test(sql)) isPlanning = / on;$/.test(sql);
    else if (isPlanning) {
      answerRows(asked, planOf(sql));
      return true;
    }
    if (/begin transaction;$/.test(sql)) {
      begun = ++transaction;
      send(Buffer.concat([transactionBegun(begun), ended(asked, doneStatus.final)]));
      return true;
    }
    if (/rollback transaction;$/.test(sql)) {
      onEvent({ kind: 'rolled back' });
      send(Buffer.concat([transactionRolledBack(begun), ended(asked, doneStatus.final)]));
      begun = 0n;
      return true;
    }
    if (!/^\s*(?:set|use)\b/i.test(sql)) return false;
    send(ended(asked, doneStatus.final));
    return true;
  }

  function answer(asked: Asked) {
    const { sql } = asked;
    onEvent({ kind: asked.isProcedure ? 'procedure' : 'batch', text: sql });
    if (begun !== 0n && asked.transaction !== begun) throw new Error('A request is not of the transaction.');
    if (answerSetting(asked)) return;
    if (/\bfrom (?:slow|endless)\b/.test(sql)) return void answerSlowly(asked, /\bfrom endless\b/.test(sql));
    const described = /^exec sys\.sp_describe_first_result_set @tsql = N'([\s\S]*)', @params = /.exec(
      sql,
    )?.[1];
    const own = catalogueAnswer(sql, user ?? '');
    const outcome = own ?? shop.run(described?.replaceAll("''", "'") ?? sql, asked.values);
    if ('number' in outcome) return answerFault(asked, outcome);
    answerRows(asked, described === undefined ? outcome : descriptionOf(outcome));
  }

  return {
    close: (): void => {
      stop?.abort();
      shop.close();
    },
    hear: ({ type, body, isIgnored }: Message) => {
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
