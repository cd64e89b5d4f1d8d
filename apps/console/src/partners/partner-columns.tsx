import type { Schemas } from '../api/client';
import type { Column } from '../parts/data-table';
import { PartnerLink } from '../parts/partner-link';
import { NONE } from '../words/formats';
import type { Speech } from '../words/words';
import { PartnerState } from './partner-state';

type Partner = Schemas['Partner'];

/** What a list of partners can show. */
export const partnerColumns = ({ words, formats }: Speech): readonly Column<Partner>[] => [
  {
    id: 'name',
    title: words.partners.name,
    // As deep as it stands in its tree.
    cell: ({ id, name, path }) => (
      <span style={{ paddingInlineStart: `${(path.length - 1) * 1.25}rem` }}>
        <PartnerLink id={id} name={name} />
      </span>
    ),
  },
  { id: 'globalId', title: words.partners.globalId, cell: ({ globalId }) => <bdi>{globalId}</bdi> },
  { id: 'state', title: words.partners.state, cell: (partner) => <PartnerState of={partner} /> },
  {
    id: 'parent',
    title: words.partners.parent,
    cell: ({ parentPartnerId }) =>
      parentPartnerId ? <PartnerLink id={parentPartnerId} /> : words.partners.root,
  },
  { id: 'displayCurrency', title: words.partners.currency, cell: (row) => row.displayCurrency ?? NONE },
  { id: 'createdAt', title: words.partners.since, cell: ({ createdAt }) => formats.moment(createdAt) },
];
