import type {
  AnswerFeedback,
  CandidateState,
  FeedbackVerdict,
  GoldenCandidate,
  GoldenExample,
  ListQuery,
  Page,
} from '@svc/contract';
import type { Database } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import * as store from './candidate-store.ts';
import type { GoldenService } from './service.ts';

export type CandidatesDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly golden: Pick<GoldenService, 'create'>;
};

export type CandidatesService = ReturnType<typeof createCandidatesService>;

const presentFeedback = ({ givenAt, ...row }: store.FeedbackRow): AnswerFeedback => ({
  ...row,
  givenAt: givenAt.toISOString(),
});

const presentCandidate = ({ proposedAt, decidedAt, ...row }: store.CandidateRow): GoldenCandidate => ({
  ...row,
  proposedAt: proposedAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
});

/** Creates the service for candidates: feedback on answers that may become examples. */
export function createCandidatesService({ database, audit, golden }: CandidatesDeps) {
  const decided = () => conflict('candidate-decided', 'The candidate was promoted or dismissed already.');

  const proposed = async (id: number): Promise<store.CandidateRow> => {
    const candidate = await store.findCandidate(database, id);
    if (!candidate) throw notFound();
    if (candidate.state !== 'Proposed') throw decided();
    return candidate;
  };

  const decide = (
    by: CallerActor,
    { id, projectId }: store.CandidateRow,
    state: 'Promoted' | 'Dismissed',
    goldenExampleId: number | null,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const { userId } = by.caller;
      if (!(await store.decideCandidate(tx, id, { state, userId, goldenExampleId }))) throw decided();
      const event = state === 'Promoted' ? 'golden.candidate_promoted' : 'golden.candidate_dismissed';
      await audit.record(tx, { event, by, subject: { kind: 'golden_candidate', id }, projectId });
    });

  return {
    feedback: async (
      query: ListQuery & { readonly projectId?: number; readonly verdict?: FeedbackVerdict },
    ): Promise<Page<AnswerFeedback>> => {
      const page = pageRequest(query, {
        sortable: store.feedbackSortable,
        byDefault: '-givenAt',
        unique: 'f.id',
      });
      const filter = { projectId: query.projectId ?? null, verdict: query.verdict ?? null };
      const { rows, totalCount } = await store.listFeedback(database, filter, page);
      return pageOf(rows.map(presentFeedback), totalCount, page);
    },

    list: async (
      query: ListQuery & { readonly projectId?: number; readonly state?: CandidateState },
    ): Promise<Page<GoldenCandidate>> => {
      const page = pageRequest(query, {
        sortable: store.candidateSortable,
        byDefault: '-proposedAt',
        unique: 'k.id',
      });
      const filter = { projectId: query.projectId ?? null, state: query.state ?? 'Proposed' };
      const { rows, totalCount } = await store.listCandidates(database, filter, page);
      return pageOf(rows.map(presentCandidate), totalCount, page);
    },

    /** Creates an example from the candidate, with the same gates for its statement as for any other example. */
    promote: async (
      by: CallerActor,
      id: number,
      change: { readonly question?: string; readonly sql?: string; readonly notes?: string | null },
      signal: AbortSignal,
    ): Promise<GoldenExample> => {
      const candidate = await proposed(id);
      if (candidate.dataSourceId === null) throw notFound();
      const example = await golden.create(
        by,
        {
          projectId: candidate.projectId,
          dataSourceId: candidate.dataSourceId,
          question: change.question ?? candidate.question,
          sql: change.sql ?? candidate.sql,
          notes: change.notes ?? null,
        },
        signal,
      );
      await decide(by, candidate, 'Promoted', example.id);
      return example;
    },

    dismiss: async (by: CallerActor, id: number): Promise<void> =>
      decide(by, await proposed(id), 'Dismissed', null),
  };
}
