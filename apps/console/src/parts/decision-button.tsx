import { Button, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { refusalOf } from '../api/refusal';
import { mayDo, type Role } from '../api/session';
import { Dialog } from './dialog';
import { useSpeech } from '../words/words';
import { Failure } from './failure';
import { useOperator } from './use-session';

interface Props<R> {
  readonly label: string;
  /** What it does, to the money above all; read before it is confirmed. */
  readonly effect: string;
  /** Whose change it is (spec §18.2). */
  readonly role: Role;
  readonly isDangerous?: boolean;
  /** What the text is called that goes with it; absent where it takes none. */
  readonly notes?: string;
  /** Fields beside the text. */
  readonly fields?: ReactNode;
  /** Why it cannot be done now though it is shown. */
  readonly refusedBecause?: string | undefined;
  readonly run: (notes: string) => Promise<R>;
  readonly done: (result: R) => string;
  /** The keys of the queries that it makes stale. */
  readonly stale: readonly (readonly unknown[])[];
}

/** A change that is explained first, confirmed, made once, and reported. Who may not make it sees why. */
export function DecisionButton<R>(props: Props<R>) {
  const { label, role, isDangerous = false, refusedBecause } = props;
  const { words } = useSpeech();
  const { roles } = useOperator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const why = mayDo(roles, role) ? refusedBecause : words.decide.needsRole(role);
  const color = isDangerous ? 'red' : undefined;
  return (
    <>
      <Tooltip label={why} disabled={!why} events={{ hover: true, focus: true, touch: true }}>
        {/* Stays in reach of the keyboard, so that the reason is. */}
        <Button
          size="xs"
          variant="light"
          {...(color && { color })}
          aria-disabled={Boolean(why)}
          data-disabled={why ? true : undefined}
          aria-description={why ?? ''}
          onClick={() => !why && open()}
        >
          {label}
        </Button>
      </Tooltip>
      <Dialog opened={isOpen} onClose={close} title={label}>
        {isOpen && <Confirmation {...props} why={why} close={close} />}
      </Dialog>
    </>
  );
}

function Confirmation<R>({
  label,
  effect,
  isDangerous = false,
  notes: notesLabel,
  fields,
  run,
  done,
  stale,
  why,
  close,
}: Props<R> & { readonly why: string | undefined; readonly close: () => void }) {
  const { words } = useSpeech();
  const queryClient = useQueryClient();
  const [notes, setNotes] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => run(notes.trim()),
    onSuccess(result) {
      notifications.show({ color: 'green', message: done(result) });
      close();
    },
    onError(refusal) {
      // What is read anew may leave nothing to decide, and take this dialog away with what it says.
      const { code, message } = refusalOf(refusal);
      if (code.startsWith('CONFLICT_')) notifications.show({ color: 'red', message });
    },
    // After a refusal too: what is there now is why.
    onSettled: () => Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <Text>{effect}</Text>
        {notesLabel && (
          <Textarea
            label={notesLabel}
            description={words.decide.notesHint}
            required
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            value={notes}
            onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          />
        )}
        {fields}
        {why && <Text c="orange">{why}</Text>}
        {error && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {words.decide.back}
          </Button>
          <Button
            type="submit"
            {...(isDangerous && { color: 'red' })}
            loading={isPending}
            disabled={Boolean(why) || (notesLabel !== undefined && notes.trim() === '')}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
