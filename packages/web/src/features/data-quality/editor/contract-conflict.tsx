import type { DataContract } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limitText, plural, words } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { ConflictNote, type ConflictPart } from '../../../ui/form/conflict-note.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { quietInWords } from '../../../views/quiet-hours/quiet-hours.ts';
import { expressionOf } from '../../../views/schedule/cron.ts';
import { alertModeWords, failureWords } from '../alert-words.ts';
import { contract } from '../requests/contracts.ts';
import { ruleInWords } from '../rule-words.ts';
import { tableName } from '../table-name.ts';
import { type ContractDraft, draftOf, type RuleDraft, ruleInputOf } from './draft.ts';
import type { Save } from './use-save.ts';

/** Interval between checks for another save of the same contract. */
const lookMs = 15_000;

const nameOf = (rule: RuleDraft): string => rule.name.trim() || ruleInWords(rule);

/** Returns one line for each member of a rule, and one for each member of its configuration. */
function linesOf(rule: RuleDraft | undefined): readonly string[] {
  if (rule === undefined) return [];
  const { id: _id, config = {}, ...rest } = ruleInputOf(rule);
  return Object.entries({ ...rest, ...config }).map(
    ([name, value]) => `${words(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

/** Returns the lines of a rule that the other rule does not have. */
const ownLines = (rule: RuleDraft | undefined, other: RuleDraft | undefined): string => {
  const others = new Set(linesOf(other));
  return linesOf(rule)
    .filter((line) => !others.has(line))
    .join('\n');
};

/** Formats a limit. Empty while its field is empty. */
const limitOf = (limit: number | null): string => (limit === null ? '' : limitText(limit));

/** Returns the differences between two drafts of one contract. */
export function difference(theirs: ContractDraft, yours: ContractDraft): readonly ConflictPart[] {
  const part = (label: string, of: (draft: ContractDraft) => string): ConflictPart => ({
    label,
    theirs: of(theirs),
    yours: of(yours),
  });
  const keys = new Set([...theirs.rules, ...yours.rules].map(({ key }) => key));
  const find = (draft: ContractDraft, key: string) => draft.rules.find((rule) => rule.key === key);
  const parts: readonly ConflictPart[] = [
    part('Name', ({ name }) => name),
    part('Description', ({ description }) => description),
    part('Table', ({ dataSourceId, tableName: table }) =>
      [dataSourceId?.name ?? '', table ? tableName(table) : ''].join(' '),
    ),
    part('Schedule', ({ cronExpression, timeZone, isEnabled }) =>
      cronExpression === null
        ? 'None'
        : `${expressionOf(cronExpression)} ${timeZone}${isEnabled ? '' : ', off'}`,
    ),
    part(
      'Scores',
      ({ warnScore, failScore }) => `Warns below ${limitOf(warnScore)}, fails below ${limitOf(failScore)}`,
    ),
    part('Fails', ({ failsOn }) => failureWords[failsOn]),
    part('Alerts', ({ alertMode, alert, quietHours, ...rest }) =>
      [
        alertModeWords[alertMode],
        alertMode === 'OnChange' ? JSON.stringify(alert) : '',
        rest.alertsOnWarning ? 'Warnings as well' : '',
        quietHours === null ? '' : `Quiet hours ${quietInWords(quietHours)}`,
        rest.createTasks
          ? rest.slaHours === null
            ? 'Tasks'
            : `Tasks, due within ${plural(rest.slaHours, 'hour')}`
          : '',
        rest.keepsSamples ? 'Failing rows kept' : '',
      ]
        .filter((line) => line !== '')
        .join('\n'),
    ),
    part('Recipients', ({ recipientIds }) => recipientIds.map(({ name }) => name).join(', ')),
    ...[...keys].map((key) => {
      const [mine, other] = [find(yours, key), find(theirs, key)];
      const named = mine ?? other;
      return {
        label: `Rule ${named ? nameOf(named) : ''}`,
        theirs: ownLines(other, mine),
        yours: ownLines(mine, other),
      };
    }),
  ];
  return parts.filter((each) => each.theirs !== each.yours);
}

type Props = {
  readonly saved: DataContract;
  readonly draft: ContractDraft;
  readonly save: Save;
  readonly onTake: (theirs: ContractDraft) => void;
};

/** Shows that another user saved the contract during the edit: the differences, and both ways to resolve them. */
export function ContractConflict({ saved, draft, save, onTake }: Props) {
  const go = useGo();
  const [isCopying, setCopying] = useState(false);
  const newest = useQuery({ ...contract(saved.id), refetchInterval: lookMs }).data;
  if (!newest || newest.version <= save.version || save.isSaving) return null;
  const theirs = draftOf(newest);
  const copy = async () => {
    setCopying(true);
    try {
      const copied = await save.saveCopy();
      toastDone(`“${copied.name}” was saved.`);
      go(paths.contract(copied.id), { isSaved: true });
    } catch (reason) {
      toastProblem(reason);
    } finally {
      setCopying(false);
    }
  };
  return (
    <ConflictNote
      what="contract"
      savedAt={newest.updatedAt}
      parts={difference(theirs, draft)}
      isCopying={isCopying}
      onCopy={() => void copy()}
      onTake={() => {
        save.adopt(newest);
        onTake(theirs);
      }}
    />
  );
}
