import { Button } from '@mantine/core';
import { type AiPlan, withdrawAiPlan } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { count, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { PlanStatus } from './actor-words.tsx';
import { PlanActions } from './plan-actions.tsx';
import { type Decision, DecisionDialog } from './plan-decisions.tsx';
import { aiPlan } from './requests/actors.ts';
import { Discarded, Findings } from './thinks.tsx';

/** Page of one plan: proposed actions, reasons, affected recipients, and the decision. */
export function PlanPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={aiPlan(id)}>{(plan) => <PlanView key={plan.id} plan={plan} />}</Record>;
}

function PlanView({ plan }: { readonly plan: AiPlan }) {
  const rights = useRights();
  const [deciding, setDeciding] = useState<Decision | null>(null);
  const [omittedIds, setOmittedIds] = useState<ReadonlySet<number>>(new Set());
  const actionIds = plan.actions.filter(({ id }) => !omittedIds.has(id)).map(({ id }) => id);
  const toggle = (id: number) =>
    setOmittedIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <>
      <PageHeader
        title={`Plan of ${plan.actorName}`}
        parent={
          holds(rights, 'Approver')
            ? { to: paths.approvals(), label: 'Approvals' }
            : { to: paths.aiActors(), label: 'AI actors' }
        }
        facts={
          <>
            <span role="status">
              <PlanStatus status={plan.status} />
            </span>
            <span>{`Version ${plan.version}`}</span>
          </>
        }
        actions={<Acts plan={plan} actionCount={actionIds.length} onDecide={setDeciding} />}
      />
      <Detail
        sections={[
          {
            id: 'actions',
            label: 'Proposed actions',
            count: plan.actions.length,
            content: (
              <div className="stack">
                <Note plan={plan} />
                <PlanActions
                  plan={plan}
                  omittedIds={omittedIds}
                  onToggle={plan.canDecide ? toggle : undefined}
                />
              </div>
            ),
          },
          { id: 'why', label: 'Why', content: <Why plan={plan} /> },
        ]}
        side={<Facts facts={factsOf(plan, rights.canRead)} />}
      />
      {deciding !== null && (
        <DecisionDialog
          decision={deciding}
          plan={plan}
          actionIds={actionIds}
          onClose={() => setDeciding(null)}
        />
      )}
    </>
  );
}

type ActsProps = {
  readonly plan: AiPlan;
  readonly actionCount: number;
  readonly onDecide: (decision: Decision) => void;
};

function Acts({ plan, actionCount, onDecide }: ActsProps) {
  const withdraw = useChange(withdrawAiPlan, { touches: ['approvals'] });
  return (
    <>
      {plan.canWithdraw && (
        <Button
          loading={withdraw.isPending}
          onClick={() =>
            withdraw.mutate(
              { params: { id: plan.id } },
              { onError: toastProblem, onSuccess: () => toastDone('The plan was withdrawn.') },
            )
          }
        >
          Withdraw
        </Button>
      )}
      {plan.canDecide && (
        <>
          <Button onClick={() => onDecide('revise')}>Request changes</Button>
          <Button onClick={() => onDecide('reject')}>Reject</Button>
          <Button variant="filled" disabled={actionCount === 0} onClick={() => onDecide('approve')}>
            {actionCount === plan.actions.length ? 'Approve' : `Approve ${count(actionCount)}`}
          </Button>
        </>
      )}
    </>
  );
}

function Note({ plan }: { readonly plan: AiPlan }) {
  if (plan.status !== 'Pending') return plan.comment === null ? null : <p role="note">“{plan.comment}”</p>;
  if (plan.canDecide)
    return (
      <p className="soft">
        Nothing has happened yet. What you approve is applied at once, with the rights of the actor’s owner.
      </p>
    );
  return (
    <p className="soft">
      Nothing has happened yet. An Approver who neither owns nor created the actor, and did not request this
      plan, decides.
    </p>
  );
}

const Why = ({ plan }: { readonly plan: AiPlan }) => (
  <div className="stack-tight">
    <p className="soft">In the words of the language model:</p>
    <p>{plan.analysis === '' ? 'It said nothing.' : plan.analysis}</p>
    <Findings findings={plan.findings} />
    {plan.feedback !== null && <p>{`It was asked to do better: “${plan.feedback}”`}</p>}
    <Discarded discarded={plan.discarded} />
  </div>
);

function factsOf(plan: AiPlan, canRead: boolean): readonly Fact[] {
  const tokens = plan.tokens.input + plan.tokens.output;
  const recipientNames = new Map(
    plan.actions.flatMap(({ recipients }) => recipients.map(({ id, name }) => [id, name])),
  );
  return [
    {
      label: 'Actor',
      value: canRead ? <Link to={paths.aiActor(plan.actorId)}>{plan.actorName}</Link> : plan.actorName,
    },
    { label: 'Project', value: plan.projectName },
    {
      label: 'Would send to',
      value:
        recipientNames.size === 0 ? (
          <span className="soft">Nobody</span>
        ) : (
          [...recipientNames.values()].join(', ')
        ),
    },
    { label: 'Made', value: <Time at={plan.createdTime} /> },
    ...(plan.status === 'Pending' ? [{ label: 'Expires', value: <Time at={plan.expiresAt} /> }] : []),
    ...(plan.parentPlanId === null
      ? []
      : [
          {
            label: 'Replaces',
            value: <Link to={paths.aiPlan(plan.parentPlanId)}>{`Version ${plan.version - 1}`}</Link>,
          },
        ]),
    ...(plan.decidedAt === null
      ? []
      : [
          { label: 'Decided', value: <Time at={plan.decidedAt} /> },
          { label: 'By', value: plan.decidedByUserName ?? 'The service' },
        ]),
    { label: 'Cost', value: plural(tokens, 'token') },
    ...(plan.model === null ? [] : [{ label: 'Model', value: plan.model }]),
  ];
}
