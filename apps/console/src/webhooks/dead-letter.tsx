import { Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DecisionButton } from '../parts/decision-button';
import { Failure } from '../parts/failure';
import { Facts } from '../parts/part';
import { Dialog } from '../parts/dialog';
import { useSpeech } from '../words/words';

type DeadLetter = Schemas['DeadLetter'];

/** What a decision about dead letters changes. */
export const STALE = [['/ops/v1/dead-letters'], ['/ops/v1/dead-letters/{service}/{id}'], ['overview']];

/** Gives an event to its service again. */
export const redrive = ({ service, id }: DeadLetter): Promise<DeadLetter> =>
  payloadOf(api.POST('/ops/v1/dead-letters/{service}/{id}/redrive', { params: { path: { service, id } } }));

/** Explains, redrives or dismisses one. */
export function DeadLetterActions({ of: row }: { readonly of: DeadLetter }) {
  const { words } = useSpeech();
  const open = useShown();
  const labels = words.deadLetters;
  const { service, id } = row;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => open(`${service}/${id}`)}>
        {labels.explain}
      </Button>
      {row.state === 'Waiting' && (
        <>
          <DecisionButton
            label={labels.redrive}
            effect={labels.redriveEffect}
            role="support"
            run={() => redrive(row)}
            done={() => labels.redriven}
            stale={STALE}
          />
          <DecisionButton
            label={labels.dismiss}
            effect={labels.dismissEffect}
            role="support"
            isDangerous
            notes={words.decide.notes}
            run={(notes) =>
              payloadOf(
                api.POST('/ops/v1/dead-letters/{service}/{id}/dismiss', {
                  params: { path: { service, id } },
                  body: { notes },
                }),
              )
            }
            done={() => labels.dismissed}
            stale={STALE}
          />
        </>
      )}
    </>
  );
}

/** Which one is explained stands in the address, so that it can be passed on. */
function useShown(): (event: string | undefined) => void {
  const navigate = useNavigate();
  return (event) =>
    void navigate({ to: '.', search: ((kept: object) => ({ ...kept, event })) as never, resetScroll: false });
}

/** All that is known of one, `service/id`. */
export function Explanation({ of: event }: { readonly of: string }) {
  const { words, formats } = useSpeech();
  const show = useShown();
  const labels = words.deadLetters;
  const [service = '', id = ''] = event.split('/');
  const { data, error } = useQuery(
    readQuery('/ops/v1/dead-letters/{service}/{id}', undefined, { service, id }),
  );
  return (
    <Dialog opened onClose={() => show(undefined)} title={labels.explain} size="xl">
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton h={200} />}
      {data && (
        <Stack>
          <div>
            <Text fw={600}>{labels.what}</Text>
            <Text>{data.explanation.what}</Text>
          </div>
          <div>
            <Text fw={600}>{labels.whatToDo}</Text>
            <Text>{data.explanation.whatToDo}</Text>
          </div>
          <Facts
            facts={[
              [labels.where, <bdi key="where">{data.explanation.where}</bdi>],
              [labels.type, <Code key="type">{data.type}</Code>],
              [labels.tries, formats.number(data.attempts)],
              [labels.first, formats.moment(data.firstFailedAt)],
              [labels.last, formats.moment(data.lastFailedAt)],
            ]}
          />
          <Text fw={600}>{labels.detail}</Text>
          <Code block dir="ltr" tabIndex={0}>
            {data.detail}
          </Code>
          <Text fw={600}>{labels.payload}</Text>
          <Code block dir="ltr" tabIndex={0}>
            {data.payload}
          </Code>
        </Stack>
      )}
    </Dialog>
  );
}
