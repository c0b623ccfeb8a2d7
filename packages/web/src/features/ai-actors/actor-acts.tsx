import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  type AiActor,
  archiveAiActor,
  pauseAiActor,
  RefineAiActorBody,
  refineAiActor,
  resumeAiActor,
  thinkAiActor,
} from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';

type Props = { readonly actor: AiActor };

/** Actions for an AI actor. Its owner, a ProjectAdmin and an Admin may perform them. */
export function ActorActs({ actor }: Props) {
  const [asking, setAsking] = useState<'refine' | 'archive' | null>(null);
  const think = useChange(thinkAiActor);
  const pause = useChange(pauseAiActor);
  const resume = useChange(resumeAiActor);
  const isThinking = actor.openThinkId !== null || think.isPending;
  const isActive = actor.state === 'Active';
  const at = { params: { id: actor.id } };
  const close = () => setAsking(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${actor.name}`} variant="default">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isActive && (
            <Menu.Item
              leftSection={<Icon name="stop" />}
              onClick={() => pause.mutate(at, { onError: toastProblem })}
            >
              Pause
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setAsking('archive')}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LinkButton to={paths.editAiActor(actor.id)}>Edit</LinkButton>
      {isActive ? (
        <>
          <Button disabled={isThinking} onClick={() => setAsking('refine')}>
            Give feedback
          </Button>
          <Button
            variant="filled"
            loading={isThinking}
            onClick={() => think.mutate(at, { onError: toastProblem })}
          >
            Think now
          </Button>
        </>
      ) : (
        <Button
          variant="filled"
          loading={resume.isPending}
          onClick={() => resume.mutate(at, { onError: toastProblem })}
        >
          {actor.state === 'Draft' ? 'Activate' : 'Resume'}
        </Button>
      )}
      {asking === 'refine' && <RefineDialog actor={actor} onClose={close} />}
      {asking === 'archive' && <ArchiveDialog actor={actor} onClose={close} />}
    </>
  );
}

type DialogProps = Props & { readonly onClose: () => void };

function RefineDialog({ actor, onClose }: DialogProps) {
  const refine = useChange(refineAiActor);
  const form = useForm({
    schema: RefineAiActorBody,
    initial: { feedback: '' },
    toBody: ({ feedback }) => ({ feedback: feedback.trim() }),
    send: async (body) => {
      await refine.mutateAsync({ params: { id: actor.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title={`Feedback for ${actor.name}`} form={form} act="Think again" onClose={onClose}>
      <p>
        {actor.pendingPlanId === null
          ? 'It thinks again with your feedback.'
          : 'It thinks again with your feedback. The next version replaces the pending plan.'}
      </p>
      <TextAreaField
        form={form}
        name="feedback"
        label="What should it do better?"
        maxLength={4_000}
        data-autofocus
      />
    </FormDialog>
  );
}

function ArchiveDialog({ actor, onClose }: DialogProps) {
  const go = useGo();
  const archive = useChange(archiveAiActor, { touches: ['approvals'] });
  return (
    <ConfirmDialog
      title={`Archive “${actor.name}”?`}
      act="Archive actor"
      onConfirm={async () => {
        await archive.mutateAsync({ params: { id: actor.id } });
        toastDone(`“${actor.name}” was archived.`);
        go(paths.aiActors());
      }}
      onClose={onClose}
    >
      It stops thinking, and a pending plan expires. Its queries and subscriptions keep running.
    </ConfirmDialog>
  );
}
