import { type Answer, createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';

/** Answers to the writers of a trial. */
export type Written = {
  /** Names of projects that were answered with 201. */
  readonly projects: Set<string>;
  /** Runs that were answered with 202. */
  readonly runs: Set<number>;
  /** Starts of runs with another answer than 202. Such a run may exist. */
  unclearRuns: number;
  /** Answers of 503 that were problems with `Retry-After`. */
  unavailable: number;
  /** All other answers, and requests without one. At most 20. */
  readonly wrong: string[];
};

const wrongMax = 20;
/** Maximum number of waiting runs: the trial tests sessions, not a backlog. */
const waitingMax = 60;
const pauseMs = 5;

/** Returns a client with the same session at another replica. */
export function atReplica(client: HttpClient, origin: string): HttpClient {
  const same = createHttpClient(origin);
  for (const [name, value] of client.cookies) same.cookies.set(name, value);
  return same;
}

const isProblem = ({ status, headers }: Answer): boolean =>
  status === 503 &&
  Number(headers.get('retry-after')) > 0 &&
  /^application\/problem\+json/.test(headers.get('content-type') ?? '');

/** Writes at the replicas in turn until the caller stops it: projects, and every fourth time a run of a subscription. */
export function startWriters(options: {
  readonly count: number;
  readonly clients: readonly HttpClient[];
  readonly antiforgeryToken: string;
  readonly subscriptionIds: readonly number[];
  /** Approximate number of ended runs. */
  readonly endedRuns: () => number;
}): { readonly written: Written; readonly stop: () => Promise<void> } {
  const { clients, subscriptionIds } = options;
  const written: Written = {
    projects: new Set(),
    runs: new Set(),
    unclearRuns: 0,
    unavailable: 0,
    wrong: [],
  };
  let isOver = false;
  let counter = 0;

  const note = (answer: Answer, what: string): void => {
    if (isProblem(answer)) written.unavailable += 1;
    else if (written.wrong.length < wrongMax)
      written.wrong.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  };
  const send = async (path: string, body: unknown): Promise<Answer> => {
    const client = clients[counter % clients.length];
    if (!client) throw new Error('There is no replica.');
    const headers = { 'x-xsrf-token': options.antiforgeryToken };
    return client.post(path, body, { antiforgery: false, headers });
  };
  const startRun = async (): Promise<void> => {
    const id = subscriptionIds[counter % subscriptionIds.length];
    const answer = await send(`/svc/api/subscriptions/${id}/test-run`, undefined);
    if (answer.status === 202) written.runs.add(answer.body.id);
    else {
      note(answer, 'a run');
      written.unclearRuns += 1;
    }
  };
  const addProject = async (): Promise<void> => {
    const name = `Project ${counter}`;
    const answer = await send('/svc/api/projects', { name });
    if (answer.status === 201) written.projects.add(name);
    else note(answer, 'a project');
  };
  const write = async (): Promise<void> => {
    while (!isOver) {
      counter += 1;
      const startsRun = counter % 4 === 0 && written.runs.size - options.endedRuns() < waitingMax;
      await (startsRun ? startRun() : addProject()).catch((error: unknown) => {
        const { message, cause } = error as Error;
        if (written.wrong.length < wrongMax) written.wrong.push(`no answer: ${message} ${String(cause)}`);
      });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const writing = Promise.all(Array.from({ length: options.count }, write));
  return {
    written,
    stop: async () => {
      isOver = true;
      await writing;
    },
  };
}
