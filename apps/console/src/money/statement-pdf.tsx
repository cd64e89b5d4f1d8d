import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refusalIn } from '../api/refusal';
import { Failure } from '../parts/failure';

/** A statement's PDF in the browser's own viewer. It is read as everything else is, so that a refusal is said in words. */
export function StatementPdf({ address, title }: { readonly address: string; readonly title: string }) {
  const { data, error } = useQuery({
    queryKey: ['pdf', address],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal });
      if (!response.ok) throw await refusalIn(response);
      return response.blob();
    },
    // It never changes.
    staleTime: Infinity,
    gcTime: 0,
  });
  const source = useObjectUrl(data);
  if (error) return <Failure error={error} />;
  return source ? <iframe className="pdf" title={title} src={source} /> : <Skeleton h={400} />;
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
