import { Button, Select } from '@mantine/core';
import { type PreviewSource, previewMessages, type Subscription } from '@svc/contract';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { PreviewedMessages } from '../../views/messages/previewed-messages.tsx';

/** Preview of the message for each recipient of a subscription. */
export function SubscriptionMessage({ record: { id, recipients } }: { readonly record: Subscription }) {
  const preview = useChange(previewMessages, { touches: [] });
  const show = (source: PreviewSource, recipientId: number | null = null) =>
    void preview.mutateAsync({ params: { id }, body: { source, recipientId } }).catch(() => undefined);
  const shown = preview.data;
  const routed = shown?.routed ?? null;
  const rowsOf = new Map(routed?.recipients.map((each) => [each.id, each.rowCount]));
  return (
    <div className="stack">
      <p className="soft">Nothing is sent. Rows are masked as they would be.</p>
      <div className="row wrap">
        <Button loading={preview.isPending} onClick={() => show('DryRun')}>
          Run the query and preview
        </Button>
        <Button loading={preview.isPending} onClick={() => show('LastRun')}>
          Preview the last run
        </Button>
      </div>
      <ProblemNote error={preview.error} />
      {shown && routed !== null && (
        <Select
          label="The message of"
          searchable
          allowDeselect={false}
          data={recipients.map((each) => ({
            value: String(each.id),
            label: `${each.name}: ${plural(rowsOf.get(each.id) ?? 0, 'row')}`,
          }))}
          value={routed.recipientId === null ? null : String(routed.recipientId)}
          onChange={(value) => show(shown.source, Number(value))}
          w={320}
        />
      )}
      {shown && <PreviewedMessages preview={shown} />}
    </div>
  );
}
