import { Button, Group, List, Progress, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, type Role } from '../api/session';
import { Dialog } from './dialog';
import { useSpeech } from '../words/words';
import { Failure } from './failure';
import { runAll, type Outcome } from './run-all';
import { useOperator } from './use-session';

interface Props<T> {
  readonly label: string;
  readonly effect: string;
  readonly role: Role;
  /** What is acted on: known at once, or found when it is confirmed. */
  readonly rows: readonly T[] | (() => Promise<readonly T[]>);
  readonly nameOf: (row: T) => string;
  readonly run: (row: T) => Promise<unknown>;
  /** The keys of the queries that it makes stale. */
  readonly stale: readonly (readonly unknown[])[];
}

/** The same change of many things, with its progress and what came of each. */
export function BulkButton<T>(props: Props<T>) {
  const { label, role, rows } = props;
  const { words } = useSpeech();
  const { roles } = useOperator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const why = mayDo(roles, role) ? undefined : words.decide.needsRole(role);
  const isEmpty = Array.isArray(rows) && rows.length === 0;
  return (
    <>
      <Tooltip label={why} disabled={!why}>
        <Button
          size="xs"
          variant="light"
          aria-disabled={Boolean(why) || isEmpty}
          data-disabled={why || isEmpty ? true : undefined}
          aria-description={why ?? ''}
          onClick={() => !why && !isEmpty && open()}
        >
          {label}
        </Button>
      </Tooltip>
      <Dialog opened={isOpen} onClose={close} title={label}>
        {isOpen && <Run {...props} close={close} />}
      </Dialog>
    </>
  );
}

function Run<T>({
  label,
  effect,
  rows,
  nameOf,
  run,
  stale,
  close,
}: Props<T> & { readonly close: () => void }) {
  const { words, formats } = useSpeech();
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setRunning] = useState(false);
  const start = async (): Promise<void> => {
    setRunning(true);
    try {
      await runAll(typeof rows === 'function' ? await rows() : rows, { nameOf, run, report: setOutcome });
    } catch (failure) {
      setOutcome({ all: 0, done: 0, refusals: [], failure });
    }
    setRunning(false);
    await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  const ended = (outcome?.done ?? 0) + (outcome?.refusals.length ?? 0);
  return (
    <Stack>
      <Text>{effect}</Text>
      {Array.isArray(rows) && <Text fw={600}>{words.bulk.selected(formats.number(rows.length))}</Text>}
      {outcome && outcome.all > 0 && (
        <>
          <Progress value={(100 * ended) / outcome.all} aria-label={label} />
          <Text size="sm" role="status">
            {isRunning
              ? words.bulk.progress(formats.number(ended), formats.number(outcome.all))
              : words.bulk.result(formats.number(outcome.done), formats.number(outcome.refusals.length))}
          </Text>
          <List size="xs">
            {outcome.refusals.map(([name, refusal]) => (
              <List.Item key={name}>
                <bdi>{name}</bdi>: {refusal}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {outcome?.failure !== undefined && <Failure error={outcome.failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {outcome ? words.bulk.close : words.decide.back}
        </Button>
        {!outcome && (
          <Button loading={isRunning} onClick={() => void start()}>
            {label}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
