//go:build tools

// Package containerd pins the containerd that build-containerd.ts builds.
package containerd

import _ "github.com/containerd/containerd/v2/cmd/containerd"
