import { Button } from '@mantine/core';
import { type NotificationType, previewTemplate } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Payload } from '../../views/messages/payload.tsx';

/** Preview of a body template with a sample result, before it is saved. */
export function TemplatePreview(props: {
  readonly notificationType: NotificationType;
  readonly bodyTemplate: string;
}) {
  const preview = useChange(previewTemplate);
  return (
    <div className="stack">
      <div>
        <Button
          loading={preview.isPending}
          onClick={() =>
            void preview
              .mutateAsync({
                body: {
                  notificationType: props.notificationType,
                  bodyTemplate: props.bodyTemplate === '' ? null : props.bodyTemplate,
                },
              })
              .catch(() => undefined)
          }
        >
          Preview with a sample
        </Button>
      </div>
      <ProblemNote error={preview.error} />
      {preview.data && <Payload payload={preview.data} label="What would be sent for a sample result" />}
    </div>
  );
}
