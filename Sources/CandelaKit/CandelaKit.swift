// SPDX-License-Identifier: GPL-2.0-or-later
// One import for everything that a program needs: files, settings, sessions, reports, colors.
@_exported public import Assets
@_exported public import CodePoints
@_exported public import ColorConversion
@_exported public import ColorScience
@_exported public import ColorTagging
@_exported public import Editing
@_exported public import Host
@_exported public import Inspection
@_exported public import MediaCore
@_exported public import Planning
@_exported public import Reading
@_exported public import Settings
@_exported public import Stills
@_exported public import Transcoding
@_exported public import VideoEncoders
