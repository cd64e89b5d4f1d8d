import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { ListPage } from '../parts/list-page';
import { useSpeech } from '../words/words';
import { partnerColumns } from './partner-columns';

/** The partners right below one. */
export function BelowTab({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const speech = useSpeech();
  const { page } = useSearch({ from: '/partners/$partnerId' });
  const query = { parentPartnerId: id, page: page ?? 1, pageSize: 50 };
  return (
    <ListPage
      title={speech.words.partners.below}
      level={2}
      name="partners-below"
      columns={partnerColumns(speech)}
      query={useQuery(readQuery('/ops/v1/partners', query))}
      keyOf={(partner) => partner.id}
      page={page}
    />
  );
}
