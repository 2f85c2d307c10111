/** The image that pods run, and the one that holds their network: no registry has them. */
export const image = 'localhost/benchfolio-cluster:test';
export const pause = 'localhost/benchfolio-pause:test';

/** Above the cgroups of all pods. */
export const cgroupParent = 'benchfolio-cluster';
