import { Modal, type ModalProps } from '@mantine/core';
import { useSpeech } from '../words/words';

/** A dialog over the page, whose way out has a name in every language. */
export function Dialog(props: ModalProps) {
  const { words } = useSpeech();
  return <Modal centered closeButtonProps={{ 'aria-label': words.bulk.close }} {...props} />;
}
