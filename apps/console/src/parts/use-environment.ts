import { useSearch } from '@tanstack/react-router';
import type { EnvironmentName } from '../search';

/** The world that the address names. */
export const useEnvironment = (): EnvironmentName => useSearch({ from: '__root__' }).environment;
