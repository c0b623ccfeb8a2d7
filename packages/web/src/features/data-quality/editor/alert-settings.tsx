import { Checkbox, Radio } from '@mantine/core';
import { type AlertMode, alertModes } from '@svc/contract';
import { WholeNumber } from '../../../ui/form/whole-number.tsx';
import { AlertRuleFields } from '../../../views/alerts/alert-rule-fields.tsx';
import { QuietHoursFields } from '../../../views/quiet-hours/quiet-hours-fields.tsx';
import { RecipientPicker } from '../../../views/recipients/recipient-picker.tsx';
import { alertModeWords } from '../alert-words.ts';
import classes from './contract-editor.module.css';
import type { DraftState } from './use-draft.ts';

/** Recipients, and the events that notify them. */
export function AlertSettings({ state: { draft, errors, change } }: { readonly state: DraftState }) {
  const error = Object.entries(errors).find(([place]) => place.startsWith('recipientIds'))?.[1];
  return (
    <section className="stack-tight" aria-labelledby="contract-alerts">
      <h2 id="contract-alerts">Recipients and alerts</h2>
      <RecipientPicker value={draft.recipientIds} onChange={(recipientIds) => change({ recipientIds })} />
      {error !== undefined && (
        <p role="alert" className={classes['error']}>
          {error}
        </p>
      )}
      {draft.recipientIds.length === 0 && (
        <p className="soft">No recipients yet. The owner gets a notice when the contract fails.</p>
      )}
      <Radio.Group
        label="When to alert"
        value={draft.alertMode}
        onChange={(mode) => change({ alertMode: modeOf(mode) })}
      >
        <div className="stack-tight" style={{ marginTop: 4 }}>
          {alertModes.map((mode) => (
            <Radio key={mode} value={mode} label={alertModeWords[mode]} />
          ))}
        </div>
      </Radio.Group>
      {draft.alertMode === 'OnChange' && (
        <AlertRuleFields value={draft.alert} words={alertWords} onChange={(alert) => change({ alert })} />
      )}
      <Checkbox
        label="Alert on warnings too"
        description="When a rule warns, or the score is below the one that warns."
        checked={draft.alertsOnWarning}
        onChange={(event) => change({ alertsOnWarning: event.currentTarget.checked })}
      />
      <QuietHoursFields
        value={draft.quietHours}
        timeZone={draft.timeZone}
        criticalLabel="Alert at once when a critical rule fails"
        onChange={(quietHours) => change({ quietHours })}
      />
      <Checkbox
        label="Open a task when it fails"
        description="Somebody can take it, snooze it and resolve it. It resolves itself when the contract holds."
        checked={draft.createTasks}
        onChange={(event) => change({ createTasks: event.currentTarget.checked })}
      />
      {draft.createTasks && (
        <WholeNumber
          label="Due within, in hours (optional)"
          value={draft.slaHours}
          error={errors['slaHours']}
          onChange={(slaHours) => change({ slaHours })}
        />
      )}
    </section>
  );
}

const alertWords = {
  opens: 'Alert after this many failures',
  ends: 'Recovered after this many good evaluations',
  reminds: 'Remind while it fails',
  recovers: 'Alert when it recovers',
};

const modeOf = (word: string): AlertMode => alertModes.find((mode) => mode === word) ?? 'EveryFailure';
