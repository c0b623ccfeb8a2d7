import { Modal, type ModalProps } from '@mantine/core';
import { useId } from 'react';
import { useFocusBack } from './focus-back.ts';

type Props = Omit<ModalProps, 'opened' | 'returnFocus' | 'id'>;

/** Dialog that is open while it is mounted. After it closes, the focus returns to its opener. */
export function Dialog(props: Props) {
  const id = useId();
  useFocusBack(id);
  const { content, ...parts } = typeof props.attributes === 'object' ? props.attributes : {};
  // The page already has a banner on a narrow screen, so the dialog's header must not be a second banner.
  const attributes = { ...parts, ...(content && { content }), header: { role: 'presentation' } };
  return <Modal {...props} id={id} opened returnFocus={false} attributes={attributes} />;
}
